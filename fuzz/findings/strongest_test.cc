// Tests how strongly cases show a wrong answer, and the cases that are derived to find the
// strongest.
#include "fuzz/findings/strongest.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "fuzz/findings/derived_cases.h"
#include "fuzz/findings/testing/tensor_answer.h"

namespace upcast::fuzz {
namespace {

std::string line(const Case& c) { return print_case(c); }

/// The strength of a difference in values between two answers, the second of which is wrong.
Strength strength(const std::string& text, const std::string& right, const std::string& wrong) {
  Finding finding{.c = parse_case(text)};
  finding.verdict.found = VerdictCode::kDifferValue;
  finding.subject.answer = testing::tensor_answer(right);
  finding.oracle.answer = testing::tensor_answer(wrong);
  return strength_of(finding, upcast::sides_of("impl:cpu", "libtorch:cpu"), Role::kOracle);
}

TEST(Strength, GradesWhatIsWrongByKindOperandsAndDType) {
  const auto severity = [](const std::string& c, const std::string& right,
                           const std::string& wrong) {
    return name(strength(c, right, wrong).severity);
  };
  EXPECT_EQ(severity("exp(float32[1]{1})", "float32[1]{2.7}", "float32[1]{nan}"), "wrong_kind");
  EXPECT_EQ(severity("exp(float32[1]{1})", "float32[1]{inf}", "float32[1]{-inf}"), "wrong_kind");
  EXPECT_EQ(severity("exp(float32[1]{1})", "float32[1]{2.7}", "float32[1]{3}"), "wrong_value");
  EXPECT_EQ(severity("exp(float32[1]{1e-30})", "float32[1]{1}", "float32[1]{2}"),
            "extreme_arguments");
  EXPECT_EQ(severity("exp(complex32[1]{1+0j})", "complex32[1]{1+0j}", "complex32[1]{nan+0j}"),
            "experimental_dtypes");
  EXPECT_EQ(name(severity_of({.kind = "crash", .is_experimental = true})), "crash");
  EXPECT_EQ(name(severity_of({.kind = "refusal"})), "wrong_kind");
}

TEST(Strength, TheWorstElementSaysHowLargeTheErrorIs) {
  const Strength found =
      strength("exp(float32[3]{1,2,3})", "float32[3]{1,2,4}", "float32[3]{1,3,5}");
  EXPECT_DOUBLE_EQ(found.error, 0.5);
  EXPECT_EQ(found.element, 1U);
  EXPECT_EQ(found.faintness, 0);
  EXPECT_EQ(strength("exp(float32[1]{1})", "float32[1]{1}", "float32[1]{1.01}").faintness, 1);
  EXPECT_EQ(strength("exp(float32[1]{1})", "float32[1]{1}", "float32[1]{1.00001}").faintness, 2);
}

TEST(Strength, AnObviousErrorInARareDTypeLeadsAFaintOneInACommonOne) {
  const Strength faint = strength("exp(float32[1]{1})", "float32[1]{1}", "float32[1]{1.00001}");
  const Strength obvious = strength("exp(bfloat16[1]{1})", "bfloat16[1]{1}", "bfloat16[1]{2}");
  const Strength common = strength("exp(float32[1]{1})", "float32[1]{1}", "float32[1]{2}");
  const Strength longer = strength("exp(float32[1]{1.5})", "float32[1]{1}", "float32[1]{2}");
  EXPECT_TRUE(obvious < faint);
  EXPECT_TRUE(common < obvious);
  EXPECT_TRUE(common < longer);
  EXPECT_FALSE(longer < common);
}

TEST(DerivedCases, HaveAnotherDTypeOrForm) {
  const Case c = parse_case("add.Tensor(float32[2]{1,2}, float32[2]{3,4}, alpha=2)");
  EXPECT_EQ(only_dtype(c), DType::kFloat32);
  EXPECT_FALSE(only_dtype(parse_case("add.Tensor(float32[2], int8[2])")));
  EXPECT_EQ(line(in_dtype(c, DType::kInt8)), "add.Tensor(int8[2]{1,2}, int8[2]{3,4}, alpha=2)");
  EXPECT_EQ(line(*in_form(c, Form::kOut, DType::kFloat32, {2})),
            "add.out(float32[2]{1,2}, float32[2]{3,4}, alpha=2, out=float32[2])");
  EXPECT_EQ(line(*in_form(c, Form::kInPlace, DType::kFloat32, {2})).substr(0, 5), "add_.");
  EXPECT_FALSE(in_form(parse_case("gelu_backward(float32[2], float32[2])"), Form::kInPlace,
                       DType::kFloat32, {2}));
}

TEST(DerivedCases, OneElementMayFillAVector) {
  const Case c = parse_case("add.Tensor(float32[3]{1,2,3}, float32[]{4})");
  EXPECT_EQ(line(with_one_element(c, 1, 2)), "add.Tensor(float32[2]{2,2}, float32[]{4})");
}

TEST(DerivedCases, OrdinaryElementsAreOrdinaryAndFewDigitsAreFew) {
  Random random(1);
  const Case c = parse_case("add.Tensor(float32[2], float32[2]:strides(3))");
  const Case drawn = with_ordinary_elements(c, random, 100);
  EXPECT_TRUE(is_ordinary(drawn));
  EXPECT_FALSE(is_ordinary(parse_case("exp(float32[1]{1e-30})")));
  EXPECT_FALSE(is_ordinary(parse_case("exp(float32[2]{1,inf})")));
  EXPECT_EQ(drawn.arguments[1].sizes, Dims{100});
  EXPECT_EQ(line(with_digits(parse_case("add.Tensor(float64[1]{0.123456}, 0.98765)"), 2)),
            "add.Tensor(float64[1]{0.12}, 0.99)");
}

}  // namespace
}  // namespace upcast::fuzz
