// Tests what the notation says of every kind of malformed line: where the fault is, and the
// message.
#include <gtest/gtest.h>

#include "cases/notation.h"
#include "cases/testing/usage_error.h"

namespace upcast {
namespace {

struct Fault {
  const char* name;
  const char* line;
  const char* message;  // how the message begins
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.line; }

class Malformed : public testing::TestWithParam<Fault> {};

struct Limit {
  std::string at_limit, beyond, message;
};

/// A case line with a tensor of `count` dimensions.
std::string of_dimensions(std::size_t count) {
  std::string line = "exp(int8[1";
  for (std::size_t i = 1; i < count; ++i) line += ",1";
  return line + "])";
}

std::string of_sets(std::size_t count) {
  std::string line = "add(";
  for (std::size_t i = 0; i < count; ++i) line += "{int8,int16,int32,int64,uint8,bool}[1], ";
  return line + "1)";
}

TEST(Notation, EndsAtAStatedLength) {
  const auto digits = [](std::size_t count) {
    return "exp(float32[1]{0." + std::string(count - 2, '1') + "})";
  };
  const auto padded = [](std::size_t size) {
    return "exp(int8[1])" + std::string(size - std::string_view("exp(int8[1])").size(), ' ');
  };
  const std::string ones(60, '1');
  for (const Limit& limit :
       {Limit{padded(kMaxLine), padded(kMaxLine + 1),
              "column 1: a line has at most 16 MiB: 'exp(int8[1])" + std::string(48, ' ') + "...'"},
        Limit{digits(kMaxNumber), digits(kMaxNumber + 1),
              "column 16: a number has at most 4096 characters: '0." + ones.substr(2) + "...'"},
        Limit{of_dimensions(kMaxDimensions), of_dimensions(kMaxDimensions + 1),
              "column 9: a tensor has at most 1024 dimensions: '[" +
                  of_dimensions(30).substr(9, 59) + "...'"}}) {
    EXPECT_EQ(usage_error_of([&] { parse_case(limit.at_limit); }), "no error") << limit.message;
    EXPECT_EQ(usage_error_of([&] { parse_case(limit.beyond); }), limit.message);
  }
  EXPECT_EQ(usage_error_of([] { parse_case(std::string(300, 'e') + "(int8[1])"); }),
            "column 1: a word has at most 256 characters: '" + std::string(60, 'e') + "...'");
  EXPECT_EQ(usage_error_of([] { parse_cases(of_sets(9), "x.cases"); }),
            "x.cases:1:245: the sets of a line may mean at most 100000 lines");
  const std::string long_set = "exp({bool,int8,int16,int32,int64}[1])";
  const std::string long_line = long_set + std::string(kMaxLine - long_set.size(), ' ');
  EXPECT_EQ(usage_error_of(
                [&] { parse_cases(long_line + "\n" + long_line + "\n" + long_line, "x.cases"); }),
            "no error");
  EXPECT_EQ(
      usage_error_of([&] {
        parse_cases(long_line + "\n" + long_line + "\n" + long_line + "\n" + long_line, "x.cases");
      }).substr(0, 88),
      "x.cases:4:1: a list holds at most 268435456 bytes of lines, after its sets of dtypes: 'e");
  EXPECT_LT(usage_error_of([] {
              parse_case("div(int8[1], 1, rounding_mode=\"" + std::string(5000, 'x') + "\")");
            }).size(),
            1100U);
}

TEST_P(Malformed, IsAUsageErrorWithItsColumn) {
  const std::string message = usage_error_of([] { parse_case(GetParam().line); });
  EXPECT_EQ(message.substr(0, std::string(GetParam().message).size()), GetParam().message)
      << message;
  EXPECT_EQ(message.find('\n'), message.npos);
}

std::string fault_name(const testing::TestParamInfo<Fault>& fault) { return fault.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Calls, Malformed,
    testing::Values(
        Fault{"Empty", "", "column 1: expected an op, as in add(int32[3], 5.5)"},
        Fault{"OnlyAComment", " # x", "column 2: expected an op"},
        Fault{"UnknownOp", "expp(int8[2])",
              "column 1: unknown op 'expp'; did you mean exp? ('upcast list ops' shows them)"},
        Fault{"UnknownOverload", "add.Tensr(int8[2], 1)",
              "column 1: add has no overload 'Tensr'; there are add.Tensor, "},
        Fault{"ControlCharacter", "exp(int8[2]\n)",
              "column 12: expected ')' or ',' after an argument, found '\\n'"},
        Fault{"NoParenthesis", "exp int8[2]", "column 5: expected '(' after the op, found 'i'"},
        Fault{"UnclosedParenthesis", "exp(int8[2]",
              "column 12: expected ')' or ',' after an argument, found the end of the line"},
        Fault{"NoComma", "add(int8[2] 1)", "column 13: expected ')' or ',' after an argument"},
        Fault{"TrailingComma", "add(int8[2], 1,)",
              "column 16: expected a tensor, a number, a dtype or \"text\", found ')'"},
        Fault{"TooFewArguments", "add.Tensor(int8[2])",
              "column 19: add.Tensor needs argument 'other': add.Tensor(Tensor self, "},
        Fault{"TooManyArguments", "exp(int8[2], 1)",
              "column 14: too many positional arguments for exp: exp(Tensor self)"},
        Fault{"UnknownKeyword", "add(int8[2], 1, alpa=2)",
              "column 17: add.Tensor has no parameter 'alpa'; did you mean alpha?: add.Tensor("},
        Fault{"ArgumentTwice", "add.Tensor(int8[2], 1, other=2)",
              "column 24: argument 'other' is given twice"},
        Fault{"PositionalAfterNamed", "add.Tensor(int8[2], alpha=2, 1)",
              "column 30: positional arguments come before the named ones"},
        Fault{"TextForATensor", "add.Tensor(\"x\", 1)",
              "column 12: argument 'self' of add.Tensor takes a tensor or a number"},
        Fault{"TensorForAScalar", "eq.Scalar(int8[2], int8[])",
              "column 20: argument 'other' of eq.Scalar takes a number"},
        Fault{"NumberForADType", "can_cast(float32, 1)",
              "column 19: argument 'to' of can_cast takes a dtype"},
        Fault{"TensorForADType", "can_cast(float32[1], int8)",
              "column 10: argument 'from_' of can_cast takes a dtype"},
        Fault{"NumberForText", "div.Tensor_mode(int8[1], 1, rounding_mode=1)",
              "column 29: argument 'rounding_mode' of div.Tensor_mode takes \"text\" or None"},
        Fault{"FractionForAnInt", "mse_loss(f32[1], f32[1], reduction=0.5)",
              "column 26: argument 'reduction' of mse_loss takes a whole number"},
        Fault{"NumberInPlace", "add_(1, 2)",
              "column 6: a number cannot be written in place; self is a tensor"},
        Fault{"NoOut", "exp.out(int8[2])", "column 16: exp.out needs out=DTYPE[SIZES]"},
        Fault{"OutIsANumber", "exp(int8[2], out=1)", "column 18: out= takes a tensor"},
        Fault{"OutTwice", "exp(int8[2], out=int8[2], out=int8[2])",
              "column 27: out= is given twice"},
        Fault{"NoOutForm", "l1_loss(f32[1], f32[1], out=f32[1])",
              "column 1: l1_loss has no out= form"},
        Fault{"SetInASingleCase", "exp({int8,int16}[2])",
              "column 5: a set of dtypes means several cases; here only one is allowed"}),
    fault_name);

INSTANTIATE_TEST_SUITE_P(
    Operands, Malformed,
    testing::Values(
        Fault{"UnknownDType", "exp(int33[2])",
              "column 5: unknown dtype 'int33'; did you mean int32? ('upcast list dtypes' shows"},
        Fault{"UnknownDTypeFarFromAny", "exp(quux[2])",
              "column 5: unknown dtype 'quux' ('upcast list dtypes' shows them)"},
        Fault{"SizesUnclosed", "exp(int8[2,3)", "column 13: expected ']' after the sizes"},
        Fault{"NegativeSize", "exp(int8[-2])", "column 10: expected a size, a number from 0 up"},
        Fault{"SizeOverflow", "exp(int8[99999999999999999999])",
              "column 10: expected a size, a number from 0 up"},
        Fault{"TooManyElements", "exp(int8[16777216,16777216,2])",
              "column 9: a tensor has at most 2^48 elements"},
        Fault{"ValuesWithoutSizes", "exp(int8{1})", "column 9: expected sizes: int8[] is zero-dim"},
        Fault{"TooFewValues", "exp(int8[2]{1})", "column 12: int8[2] has 2 elements, 1 given"},
        Fault{"TooManyValues", "exp(int8[]{1,2})", "column 11: int8[] has 1 elements, 2 given"},
        Fault{"ValuesUnclosed", "exp(int8[2]{1,2)", "column 16: expected '}' after the values"},
        Fault{"ValueMissing", "exp(int8[2]{1,})", "column 15: expected a number"},
        Fault{"UnknownLayout", "exp(int8[2]:permutd)",
              "column 13: unknown layout 'permutd'; did you mean permuted?"},
        Fault{"StridesOfAnotherRank", "exp(int8[2]:strides(1,2))",
              "column 20: 1 sizes need the same number of strides, 2 given"},
        Fault{"NegativeStride", "exp(int8[2]:strides(-1))", "column 21: expected a stride"},
        Fault{"ChannelsLastOfThree", "exp(int8[2,3,4]:channels_last)",
              "column 17: channels_last needs four sizes"},
        Fault{"ExpandedZeroDim", "exp(int8[]:expanded)",
              "column 12: a zero-dim tensor has no dimension to expand"},
        Fault{"SharesWithItself", "exp_(float32[2]:shares(0))",
              "column 6: shares(0) must name an argument before this one, counted from 0"},
        Fault{"SharesWithALaterOne", "add(float32[2]:shares(1), float32[2])",
              "column 5: shares(1) must name an argument before this one"},
        Fault{"SharesWithANumber", "where(bool[2], 1, float32[2]:shares(1))",
              "column 19: argument 1 is not a tensor with a storage of its own"},
        Fault{"SharesWithOneThatShares", "addcmul(f32[2], f32[2]:shares(0), f32[2]:shares(1))",
              "column 35: argument 1 is not a tensor with a storage of its own"},
        Fault{"SharesWithAnotherDType", "add(float32[2], int32[2]:shares(0))",
              "column 17: argument 0 is of another dtype"},
        Fault{"OutSharesWithNone", "add(f32[2], f32[2], out=f32[2]:shares(2))",
              "column 41: argument 2 is not a tensor with a storage of its own"},
        Fault{"UnknownDeviceOfATensor", "exp(int8[1]:device(tpu))",
              "column 20: a device is cpu, cuda or meta"},
        Fault{"SharesAndHasADevice", "add(f32[2], f32[2]:shares(0)+device(meta))",
              "column 16: a tensor that shares storage is on the device of the other one"},
        Fault{"SharesAndHasValues", "add(float32[2], float32[2]:shares(0){1,2})",
              "column 37: a tensor that shares storage takes its values from the other one"},
        Fault{"TextUnclosed", "div(int8[1], 1, rounding_mode=\"tr)",
              "column 31: this text has no closing '\"'"}),
    fault_name);

INSTANTIATE_TEST_SUITE_P(
    Literals, Malformed,
    testing::Values(
        Fault{"IntegerOutOfRange", "exp(uint8[2]{1,256})",
              "column 16: 256 is outside the range of uint8"},
        Fault{"NegativeUnsigned", "exp(uint64[1]{-1})",
              "column 15: uint64 cannot hold negative numbers"},
        Fault{"FractionInAnInteger", "exp(int8[1]{1.5})",
              "column 13: int8 holds whole numbers only"},
        Fault{"NumberInABool", "exp(bool[1]{2})", "column 13: bool holds True and False only"},
        Fault{"TrueInAnInteger", "exp(int8[1]{True})",
              "column 13: True cannot be an element of int8"},
        Fault{"ComplexInAFloat", "exp(float32[1]{1+2j})",
              "column 16: float32 cannot hold complex numbers"},
        Fault{"BeyondFloat16", "exp(float16[1]{70000})", "column 16: float16 ends at 65504"},
        Fault{"BeyondFloat32", "exp(float32[1]{1e39})", "column 16: 1e39 overflows float32"},
        Fault{"BeyondFloat64", "add(int8[1], 1e400)",
              "column 14: 1e400 overflows float64; write inf for the infinity"},
        Fault{"BeyondASaturatingFloat8", "exp(float8_e4m3fn[1]{449})",
              "column 22: float8_e4m3fn ends at 448"},
        Fault{"InfinityWithoutOne", "exp(float8_e4m3fn[1]{inf})",
              "column 22: float8_e4m3fn has no infinity"},
        Fault{"NegativeZeroWithoutOne", "exp(float8_e5m2fnuz[1]{-0})",
              "column 24: float8_e5m2fnuz has no negative zero"},
        Fault{"ZeroOfE8M0", "exp(float8_e8m0fnu[1]{0})", "column 23: float8_e8m0fnu has no zero"},
        Fault{"NegativeOfE8M0", "exp(float8_e8m0fnu[1]{-1})",
              "column 23: float8_e8m0fnu has no negative numbers"},
        Fault{"NaNWithASign", "exp(float32[1]{-nan})",
              "column 16: a NaN with a sign is written as bits:0x.."},
        Fault{"TooManyBits", "exp(int8[1]{bits:0x100})",
              "column 13: bits:0x.. has more than 2 hex digits"},
        Fault{"BitsWithoutDigits", "exp(int8[1]{bits:0x})", "column 20: expected hex digits"},
        Fault{"NumberForABitsDType", "result_type(bits8[1]{1}, 1)",
              "column 22: elements of bits8 are written as bits:0x.."},
        Fault{"Junk", "add(int8[1], 1_000)", "column 14: '1_000' is not a number"},
        Fault{"ExponentWithoutDigits", "add(int8[1], 1e)", "column 16: an exponent needs digits"},
        Fault{"ImaginaryWithoutJ", "add(int8[1], 1+2)",
              "column 17: expected 'j' after an imaginary part"},
        Fault{
            "BeyondUInt64", "add(int8[1], 18446744073709551616)",
            "column 14: 18446744073709551616 is beyond uint64; a float64 is written with a point"},
        Fault{"BelowInt64", "add(int8[1], -9223372036854775809)",
              "column 14: -9223372036854775809 is beyond int64"}),
    fault_name);

INSTANTIATE_TEST_SUITE_P(
    Settings, Malformed,
    testing::Values(
        Fault{"UnknownSetting", "exp(int8[1]) @defalt=float32",
              "column 15: unknown setting '@defalt'; did you mean default?"},
        Fault{"UnknownDefault", "exp(int8[1]) @default=float33",
              "column 23: unknown dtype 'float33'; did you mean float32?"},
        Fault{"UnknownDevice", "exp(int8[1]) @device=tpu",
              "column 22: a device is cpu, cuda or meta"},
        Fault{"UnknownValueClass", "exp(int8[1], values=specal)",
              "column 21: unknown value class 'specal'; did you mean special?"},
        Fault{"BadSeed", "exp(int8[1], seed=-1)", "column 19: a seed is a whole number"},
        Fault{"BadExpectation", "exp(int8[1]) -> refuse", "column 17: unknown dtype 'refuse'"},
        Fault{"ExpectedValuesOfAnotherNumber", "exp(int8[1]) -> float32[1]{1,2}",
              "column 27: float32[1] has 1 elements, 2 given"},
        Fault{"TrailingText", "exp(int8[1]) today",
              "column 14: expected @SETTING=VALUE, -> EXPECTATION or the end of the line"}),
    fault_name);

}  // namespace
}  // namespace upcast
