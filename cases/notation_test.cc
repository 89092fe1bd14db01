#include "cases/notation.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cases/literal.h"
#include "cases/values.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

struct Line {
  const char* name;
  const char* written;
  const char* canonical;
};

std::ostream& operator<<(std::ostream& out, const Line& line) { return out << line.written; }

std::string line_name(const testing::TestParamInfo<Line>& test) { return test.param.name; }

class RoundTrip : public testing::TestWithParam<Line> {};

TEST_P(RoundTrip, PrintsTheCanonicalLineAndParsesItToTheSameCase) {
  const Case c = parse_case(GetParam().written);
  EXPECT_EQ(print_case(c), GetParam().canonical);
  const Case again = parse_case(print_case(c));
  EXPECT_TRUE(again == c);
  EXPECT_EQ(print_case(again), GetParam().canonical);
}

INSTANTIATE_TEST_SUITE_P(
    Operands, RoundTrip,
    testing::Values(
        Line{"WrappedNumber", "add.Tensor(int32[3], 5.5)", "add.Tensor(int32[3], 5.5)"},
        Line{"ValuesAndZeroDim", "add.Tensor(int32[2,3]{1,2,3,4,5,6}, float16[])",
             "add.Tensor(int32[2,3]{1,2,3,4,5,6}, float16[])"},
        Line{"ShortAndTorchNames", "add.Tensor(u8[4], torch.int8[4])",
             "add.Tensor(uint8[4], int8[4])"},
        Line{"Bool", "add.Tensor(bool[2]{True,0}, True)", "add.Tensor(bool[2]{True,False}, True)"},
        Line{"BoolByteOfTwo", "neg(bool[1]{bits:0x02})", "neg(bool[1]{bits:0x02})"},
        Line{"LargestUInt64", "neg(uint64[2]{18446744073709551615,0})",
             "neg(uint64[2]{18446744073709551615,0})"},
        Line{"LeastInt64", "neg(int64[1]{-9223372036854775808})",
             "neg(int64[1]{-9223372036854775808})"},
        Line{"HexInteger", "neg(uint8[1]{0xff})", "neg(uint8[1]{255})"},
        Line{"NotFinite", "exp(float16[4]{inf,-inf,nan,-0})", "exp(float16[4]{inf,-inf,nan,-0})"},
        Line{"HexFloat", "exp(float64[2]{0x1.8p3,-0x1p-1074})", "exp(float64[2]{12,-5e-324})"},
        Line{"ShortestDecimals", "exp(float32[3]{0.1,16777217,1e-45})",
             "exp(float32[3]{0.1,16777216,1e-45})"},
        Line{"ShortestOfNarrowDTypes", "exp(float16[3]{0.1,65504,6e-8})",
             "exp(float16[3]{0.1,65504,6e-08})"},
        Line{"Float8", "mul.Tensor(float8_e4m3fn[2]{448,0.1}, float8_e8m0fnu[1]{0.25})",
             "mul.Tensor(float8_e4m3fn[2]{448,0.1}, float8_e8m0fnu[1]{0.25})"},
        Line{"NaNWithPayload", "exp(float32[2]{bits:0x7fc00001,bits:0xffc00000})",
             "exp(float32[2]{bits:0x7fc00001,bits:0xffc00000})"},
        Line{"BitsOfANumber", "exp(float32[1]{bits:0x3f800000})", "exp(float32[1]{1})"},
        Line{"ComplexValues", "neg(complex64[3]{1+2j,3,-4j})", "neg(complex64[3]{1+2j,3+0j,0-4j})"},
        Line{"ComplexNotFinite", "neg(complex128[2]{nan-infj,-0-0j})",
             "neg(complex128[2]{nan-infj,-0-0j})"},
        Line{"BitsDType", "result_type(bits8[2]{bits:0x1f,bits:0x00}, qint8[2])",
             "result_type.Tensor(bits8[2]{bits:0x1f,bits:0x00}, qint8[2])"},
        Line{"EmptyTensor", "neg(int8[0,3]{})", "neg(int8[0,3])"},
        Line{"Undefined", "add.Tensor(undefined, int32[1])", "add.Tensor(undefined, int32[1])"},
        Line{"DTypeArguments", "promote_types(f16, torch.bfloat16)",
             "promote_types(float16, bfloat16)"}),
    line_name);

INSTANTIATE_TEST_SUITE_P(
    Numbers, RoundTrip,
    testing::Values(Line{"True", "mul(int8[1], True)", "mul.Tensor(int8[1], True)"},
                    Line{"Int", "mul(int8[1], -7)", "mul.Tensor(int8[1], -7)"},
                    Line{"AboveInt64", "mul(int8[1], 9223372036854775808)",
                         "mul.Tensor(int8[1], 9223372036854775808)"},
                    Line{"WholeFloat", "mul(int8[1], 5.0)", "mul.Tensor(int8[1], 5.0)"},
                    Line{"Exponent", "mul(int8[1], 1e30)", "mul.Tensor(int8[1], 1e+30)"},
                    Line{"NoLeadingDigit", "mul(int8[1], -.5)", "mul.Tensor(int8[1], -0.5)"},
                    Line{"Infinity", "mul(int8[1], -inf)", "mul.Tensor(int8[1], -inf)"},
                    Line{"NaN", "mul(int8[1], nan)", "mul.Tensor(int8[1], nan)"},
                    Line{"NaNWithPayload", "mul(int8[1], bits:0x7ff8000000000001)",
                         "mul.Tensor(int8[1], bits:0x7ff8000000000001)"},
                    Line{"Complex", "mul(int8[1], 1+2j)", "mul.Tensor(int8[1], 1+2j)"},
                    Line{"Imaginary", "mul(int8[1], -2.5j)", "mul.Tensor(int8[1], 0-2.5j)"},
                    Line{"ComplexBits", "mul(int8[1], bits:0x7ff80000000000010000000000000000)",
                         "mul.Tensor(int8[1], bits:0x7ff80000000000010000000000000000)"},
                    Line{"Underflow", "mul(int8[1], 1e-400)", "mul.Tensor(int8[1], 0.0)"}),
    line_name);

INSTANTIATE_TEST_SUITE_P(
    Layouts, RoundTrip,
    testing::Values(
        Line{"Contiguous", "neg(int8[2,3]:contiguous)", "neg(int8[2,3])"},
        Line{"ContiguousStrides", "neg(int8[2,3]:strides(3,1))", "neg(int8[2,3])"},
        Line{"Permuted", "neg(int8[2,3,4]:permuted)", "neg(int8[2,3,4]:strides(1,2,6))"},
        Line{"Expanded", "neg(int8[2,3]:expanded)", "neg(int8[2,3]:strides(0,1))"},
        Line{"ChannelsLast", "neg(int8[2,3,4,5]:channels_last)",
             "neg(int8[2,3,4,5]:strides(60,1,15,3))"},
        Line{"StridesAndOffset", "neg(int8[3,2]:strides(1,3)+offset(2))",
             "neg(int8[3,2]:strides(1,3)+offset(2))"},
        Line{"BoundsThatFitTwoOverloads", "clamp(int8[2], None, None)",
             "clamp(int8[2], min=None, max=None)"},
        Line{"AndTheOtherOne", "clamp.Tensor(int8[2], None, None)",
             "clamp.Tensor(int8[2], min=None, max=None)"},
        Line{"SharedStorage",
             "add.out(float32[4], float32[2]:offset(1)+shares(0), out=f32[4]:shares(0)+strides(2))",
             "add.out(float32[4], float32[2]:offset(1)+shares(0), "
             "out=float32[4]:strides(2)+shares(0))"},
        Line{"TheTensorItself", "add_(float32[4]{1,2,3,4}, float32[4]:shares(0))",
             "add_.Tensor(float32[4]{1,2,3,4}, float32[4]:shares(0))"},
        Line{"Device", "neg(int8[3]:device(meta))", "neg(int8[3]:device(meta))"},
        Line{"DeviceAfterALayout", "neg(int8[3,2]:device(cuda)+permuted{1,2,3,4,5,6})",
             "neg(int8[3,2]:strides(1,3)+device(cuda){1,2,3,4,5,6})"},
        Line{"DeviceOfOut", "neg.out(int8[3], out=int8[3]:device(cpu)) @device=meta",
             "neg.out(int8[3], out=int8[3]:device(cpu)) @device=meta"},
        Line{"OffsetAlone", "neg(int8[3]:offset(2))", "neg(int8[3]:offset(2))"},
        Line{"LayoutThenValues", "neg(int8[2]:strides(2){1,2})", "neg(int8[2]:strides(2){1,2})"},
        Line{"ValuesThenLayout", "neg(int8[2]{1,2}:strides(2))", "neg(int8[2]:strides(2){1,2})"}),
    line_name);

INSTANTIATE_TEST_SUITE_P(
    Calls, RoundTrip,
    testing::Values(
        Line{"Attribute", "add.Tensor(uint8[4], int8[4], alpha=2)",
             "add.Tensor(uint8[4], int8[4], alpha=2)"},
        Line{"NamedTensor", "add.Tensor(uint8[4], other=int8[4])", "add.Tensor(uint8[4], int8[4])"},
        Line{"SecondOut", "frexp(float32[3], out=float32[3], second_out=int32[0])",
             "frexp.Tensor_out(float32[3], out=float32[3], second_out=int32[0])"},
        Line{"Text", "div(int32[1], 2, rounding_mode=\"trunc\")",
             "div.Tensor_mode(int32[1], 2, rounding_mode=\"trunc\")"},
        Line{"TextWithQuotes", "div(int32[1], 2, rounding_mode=\"a\\\"b\\\\\")",
             "div.Tensor_mode(int32[1], 2, rounding_mode=\"a\\\"b\\\\\")"},
        Line{"None", "div(int32[1], 2, rounding_mode=None)",
             "div.Tensor_mode(int32[1], 2, rounding_mode=None)"},
        Line{"AttributesByPosition", "poisson_nll_loss(f32[1], f32[1], True, False, 0.5, 0)",
             "poisson_nll_loss(float32[1], float32[1], log_input=True, full=False, eps=0.5, "
             "reduction=0)"},
        Line{"InPlace", "add_.Tensor(float32[2,3], int64[3])",
             "add_.Tensor(float32[2,3], int64[3])"},
        Line{"Out", "add.out(int32[3], float32[3], out=float64[3])",
             "add.out(int32[3], float32[3], out=float64[3])"},
        Line{"OutOfAnOverload", "add.Tensor(int32[3], float32[3], out=float64[3])",
             "add.out(int32[3], float32[3], out=float64[3])"},
        Line{"ValuesAndSeed", "neg(float32[2], values=special, seed=18446744073709551615)",
             "neg(float32[2], values=special, seed=18446744073709551615)"},
        Line{"Settings", "neg(float32[2]) @default=f64 @device=cuda",
             "neg(float32[2]) @default=float64 @device=cuda"},
        Line{"DefaultSettings", "neg(float32[2]) @default=float32 @device=cpu", "neg(float32[2])"},
        Line{"Blanks", "  neg ( float32[ 2,  3 ] )  ", "neg(float32[2,3])"},
        Line{"Comment", "neg(float32[2]) # why", "neg(float32[2])"}),
    line_name);

INSTANTIATE_TEST_SUITE_P(
    Expectations, RoundTrip,
    testing::Values(
        Line{"DType", "neg(float32[2]) -> f32", "neg(float32[2]) -> float32"},
        Line{"Shape", "neg(float32[2])->float32[2]", "neg(float32[2]) -> float32[2]"},
        Line{"ZeroDim", "neg(float32[]) -> float32[]", "neg(float32[]) -> float32[]"},
        Line{"Values", "neg(float32[2]) -> float32[2]{1,nan}",
             "neg(float32[2]) -> float32[2]{1,nan}"},
        Line{"NoElements", "neg(float32[0]) -> float32[0]{}", "neg(float32[0]) -> float32[0]{}"},
        Line{"Refuses", "neg(bool[2]) @default=float64 -> refuses",
             "neg(bool[2]) @default=float64 -> refuses"},
        Line{"Answer", "can_cast(float32, int8) -> False", "can_cast(float32, int8) -> False"}),
    line_name);

// A name without overload means the overload that Python would call with the same arguments.
INSTANTIATE_TEST_SUITE_P(
    Overloads, RoundTrip,
    testing::Values(
        Line{"NumberIsATensorOfAdd", "add(int32[3], 5.5)", "add.Tensor(int32[3], 5.5)"},
        Line{"NumberFirst", "sub(2, int32[3])", "sub.Tensor(2, int32[3])"},
        Line{"NumberIsAScalarOfEq", "torch.eq(int32[3], 2)", "eq.Scalar(int32[3], 2)"},
        Line{"ZeroDimIsATensor", "eq(int32[3], int32[])", "eq.Tensor(int32[3], int32[])"},
        Line{"PowOfANumber", "pow(2, float32[2])", "pow.Scalar(2, float32[2])"},
        Line{"PowToANumber", "pow(float32[2], 2)", "pow.Tensor_Scalar(float32[2], 2)"},
        Line{"PowInPlace", "pow_(float32[2], 2)", "pow_.Scalar(float32[2], 2)"},
        Line{"ClampToNumbers", "clamp(float32[2], 0, 1)", "clamp(float32[2], min=0, max=1)"},
        Line{"ClampToTensors", "clamp(float32[2], max=float32[])",
             "clamp.Tensor(float32[2], max=float32[])"},
        Line{"WhereOther", "where(bool[2], float32[2], 5)",
             "where.ScalarOther(bool[2], float32[2], 5)"},
        Line{"WhereNumbers", "where(bool[2], 1, 5)", "where.Scalar(bool[2], 1, 5)"},
        Line{"DivWithAMode", "div(int32[1], int32[1], rounding_mode=\"floor\")",
             "div.Tensor_mode(int32[1], int32[1], rounding_mode=\"floor\")"},
        Line{"NoScalarOverload", "maximum(int32[1], 2)", "maximum(int32[1], 2)"},
        Line{"OutByKeyword", "lt(float32[2], 2, out=bool[2])",
             "lt.Scalar_out(float32[2], 2, out=bool[2])"},
        Line{"ResultTypeOfNumbers", "result_type(2, 3.5)", "result_type.Scalar_Scalar(2, 3.5)"},
        Line{"SpecialNamespace", "torch.special.expm1(float32[2])", "special_expm1(float32[2])"},
        Line{"SpecialNamespaceOfAPlainName", "torch.special.log2(float32[2])", "log2(float32[2])"},
        Line{"FunctionalNamespace", "torch.nn.functional.l1_loss(f32[1], f32[1], reduction=0)",
             "l1_loss(float32[1], float32[1], reduction=0)"}),
    line_name);

TEST(Notation, ALineIsParsedIntoItsParts) {
  const Case c = parse_case(
      "add.out(float32[2]:strides(3)+offset(1){1.5,-2}, 5, alpha=2, out=float64[2], values=random, "
      "seed=9) @default=bfloat16 @device=cuda -> float64[2]{11.5,8}");
  EXPECT_EQ(c.op->spec->name, "add");
  EXPECT_EQ(c.form, Form::kOut);
  EXPECT_EQ(c.callable(), "add.out");
  ASSERT_EQ(c.arguments.size(), 3U);
  const Operand& self = c.arguments[0];
  EXPECT_EQ(self.tag, Operand::Tag::kTensor);
  EXPECT_EQ(self.dtype, DType::kFloat32);
  EXPECT_EQ(self.sizes, Dims{2});
  EXPECT_EQ(self.strides, Dims{3});
  EXPECT_EQ(self.offset, 1);
  float elements[2];
  ASSERT_EQ(self.values.size(), sizeof elements);
  std::memcpy(elements, self.values.data(), sizeof elements);
  EXPECT_EQ(elements[0], 1.5F);
  EXPECT_EQ(elements[1], -2.F);
  EXPECT_EQ(c.arguments[1].tag, Operand::Tag::kNumber);
  EXPECT_EQ(c.arguments[1].number, Number(5));
  EXPECT_EQ(c.arguments[2].number, Number(2));
  EXPECT_EQ(c.out.dtype, DType::kFloat64);
  EXPECT_EQ(c.values, ValueClass::kRandom);
  EXPECT_EQ(c.seed, 9U);
  EXPECT_EQ(c.defaults.floating, DType::kBFloat16);
  EXPECT_EQ(c.device, Device::kCuda);
  ASSERT_TRUE(c.expectation.has_value());
  EXPECT_EQ(c.expectation->dtype, DType::kFloat64);
  EXPECT_EQ(c.expectation->sizes, Dims{2});
  EXPECT_EQ(c.expectation->values->size(), 16U);
}

TEST(Notation, CasesDifferByTheBitsOfTheirNumbers) {
  EXPECT_TRUE(parse_case("add(int8[1], nan)") == parse_case("add(int8[1], nan)"));
  EXPECT_FALSE(parse_case("add(int8[1], 0.0)") == parse_case("add(int8[1], -0.0)"));
  EXPECT_FALSE(parse_case("add(int8[1], 1)") == parse_case("add(int8[1], 1.0)"));
  EXPECT_FALSE(parse_case("add(int8[1], 1)") == parse_case("add(int8[1], True)"));
}

std::vector<std::byte> parsed(DType dtype, const std::string& text) {
  TextCursor cursor(text);
  std::vector<std::byte> element;
  parse_element(cursor, dtype, element);
  EXPECT_TRUE(cursor.at_end()) << text;
  return element;
}

TEST(Literal, EveryCodeOfAOneOrTwoByteDTypeRoundTrips) {
  for (int dtype = 0; dtype < code(DType::kUndefined); ++dtype) {
    const int bytes = itemsize(dtype_from_code(dtype));
    if (bytes > 2) continue;
    for (unsigned bits = 0; bits < 1U << (8 * bytes); ++bits) {
      std::vector<std::byte> element{std::byte(bits & 0xff)};
      if (bytes == 2) element.push_back(std::byte(bits >> 8));
      const std::string text = print_element(dtype_from_code(dtype), element.data());
      ASSERT_EQ(parsed(dtype_from_code(dtype), text), element)
          << name(dtype_from_code(dtype)) << " " << text;
    }
  }
}

TEST(Literal, RandomBitsOfEveryWiderDTypeRoundTrip) {
  SplitMix64 random(1);
  for (int dtype = 0; dtype < code(DType::kUndefined); ++dtype) {
    const int bytes = itemsize(dtype_from_code(dtype));
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::byte> element;
      for (int k = 0; k < bytes; ++k) element.push_back(std::byte(random.next() & 0xff));
      const std::string text = print_element(dtype_from_code(dtype), element.data());
      ASSERT_EQ(parsed(dtype_from_code(dtype), text), element)
          << name(dtype_from_code(dtype)) << " " << text;
    }
  }
}

TEST(Literal, DecimalsRoundToNearest) {
  const auto half = [](const char* text) { return parsed(DType::kFloat16, text); };
  EXPECT_EQ(half("2049"), half("2048")) << "a tie goes to even";
  EXPECT_EQ(half("2049.0001"), half("2050"));
  EXPECT_EQ(half("1e-9"), half("0")) << "underflow is no fault";
  EXPECT_EQ(parsed(DType::kFloat32, "16777217"), parsed(DType::kFloat32, "16777216"));
}

TEST(Notation, EveryDTypeNameAndShortNameIsAnOperand) {
  for (int code = 0; code < kDTypeCount; ++code) {
    const DTypeInfo& row = info(dtype_from_code(code));
    if (row.dtype == DType::kUndefined) continue;
    for (std::string_view name : {row.name, row.short_name}) {
      const Case c = parse_case("result_type(" + std::string(name) + "[2], 1)");
      EXPECT_EQ(c.arguments[0].dtype, row.dtype) << name;
    }
  }
}

}  // namespace
}  // namespace upcast
