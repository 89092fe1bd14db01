#include "oracle/signature.h"

#include <gtest/gtest.h>

#include <set>

#include "cases/literal.h"
#include "cases/notation.h"

namespace upcast {
namespace {

Reply tensor(DType dtype, std::string_view element) {
  Reply reply;
  reply.answer = {.tag = Answer::Tag::kTensor, .dtype = dtype, .sizes = {1}, .strides = {1}};
  TextCursor cursor(element);
  parse_element(cursor, dtype, reply.answer.bytes);
  return reply;
}

Reply refusal(RejectionCode code) {
  return {.answer = {.tag = Answer::Tag::kRefusal, .rejection = code}};
}

std::string value_text(std::string_view line, DType dtype, std::string_view subject,
                       std::string_view oracle) {
  return signature_of(parse_case(line), VerdictCode::kDifferValue, tensor(dtype, subject),
                      tensor(dtype, oracle), {})
      .text();
}

TEST(Signature, NamesKindCallOperandsAndAnswers) {
  const Case c = parse_case(
      "div.out_mode(int32[1]{1}, int64[]{1}, rounding_mode=\"trunc\", out=float64[1]) "
      "@default=float64");
  EXPECT_EQ(signature_of(c, VerdictCode::kCrash, tensor(DType::kFloat64, "1"),
                         {.death = "crash(SIGFPE)"}, {})
                .text(),
            "crash div.out_mode(i32@dim,i64@zero,rounding_mode=trunc,out=f64@dim) answer->SIGFPE "
            "default=f64");
  EXPECT_EQ(
      signature_of(parse_case("mul.Tensor(float8_e5m2[0], 2.5)"), VerdictCode::kDifferAccepts,
                   tensor(DType::kFloat8E5M2, "1"), refusal(RejectionCode::kUnsupportedDType), {})
          .text(),
      "accepts mul.Tensor(e5m2@empty,float@number) answer->refuses(unsupported_dtype)");
}

TEST(Signature, TellsClassesOfValuesApart) {
  const std::string_view line = "add.Tensor(float32[1], float32[1])";
  std::set<std::string> texts;
  for (const auto& [subject, oracle] :
       {std::pair("1", "nan"), std::pair("nan", "1"), std::pair("inf", "1"), std::pair("-inf", "1"),
        std::pair("0", "-0.0"), std::pair("1", "2"), std::pair("1", "1.0001"), std::pair("1", "-1"),
        std::pair("0", "1")})
    texts.insert(value_text(line, DType::kFloat32, subject, oracle));
  EXPECT_EQ(texts.size(), 9U);
  EXPECT_TRUE(texts.contains("value add.Tensor(f32@dim,f32@dim) x->~x'"));
}

TEST(Signature, DoesNotTellValuesApart) {
  const std::string_view line = "add.Tensor(float32[1], float32[1])";
  EXPECT_EQ(value_text(line, DType::kFloat32, "1", "nan"),
            value_text(line, DType::kFloat32, "3e7", "nan"));
  EXPECT_EQ(value_text("neg(int8[1])", DType::kInt8, "5", "-128"), "value neg(i8@dim) n->min");
  EXPECT_EQ(value_text("neg(complex64[1])", DType::kComplex64, "1+0j", "1-0j"),
            "value neg(c64@dim) im:0->-0");
  EXPECT_EQ(value_text("logical_not(int8[1])", DType::kBool, "True", "False"),
            "value logical_not(i8@dim) True->False");
}

TEST(Signature, IsAHashAndALineThatClusterFuzzCanGroupBy) {
  const Case c = parse_case(
      "special_shifted_chebyshev_polynomial_t.n_scalar_out(float64[1], 3, "
      "out=float32[1])");
  const Signature a = signature_of(c, VerdictCode::kDifferValue, tensor(DType::kFloat32, "nan"),
                                   tensor(DType::kFloat32, "1"), {});
  const Signature b = signature_of(c, VerdictCode::kDifferValue, tensor(DType::kFloat32, "1"),
                                   tensor(DType::kFloat32, "nan"), {});
  EXPECT_GT(a.text().size(), kCrashLineLength);
  EXPECT_EQ(a.crash_line().size(), kCrashLineLength);
  EXPECT_EQ(a.crash_line().substr(0, 11), "FuzzerHash=");
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_NE(a.crash_line(), b.crash_line());
  EXPECT_NE(a.essence(), b.essence());
  EXPECT_EQ(crash_line(0x0159'5f43, "value"), "FuzzerHash=abfjfped value");
}

TEST(Signature, NamesACategoryWhereTheDTypeDoesNotMatter) {
  Signature signature =
      signature_of(parse_case("add.Tensor(float16[1], int8[1])"), VerdictCode::kDifferValue,
                   tensor(DType::kFloat16, "nan"), tensor(DType::kFloat16, "1"), {});
  for (SignatureOperand& operand : signature.operands) operand.any_of_category = true;
  EXPECT_EQ(signature.text(), "value add.Tensor(float@dim,int@dim) nan->x");
}

}  // namespace
}  // namespace upcast
