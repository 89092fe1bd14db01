// Tests of each part of the judge, with controls that must fail.
#include "oracle/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "impl/core/element.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

using testing::floats;
using testing::refusal;
using testing::tensor_of;

const Case& exact_case() {
  static const Case c = parse_case("add.Tensor(float32[1], float32[1])");
  return c;
}
const Case& inexact_case() {
  static const Case c = parse_case("exp(float32[1])");
  return c;
}

struct Wrong {
  const char* name;
  float subject, oracle;
};
class JudgeRejects : public ::testing::TestWithParam<Wrong> {};

TEST_P(JudgeRejects, AValueThatDiffers) {
  const Verdict verdict =
      judge(exact_case(), floats({GetParam().subject}), floats({GetParam().oracle}));
  EXPECT_EQ(verdict.code, VerdictCode::kDifferValue);
  EXPECT_EQ(verdict.found, VerdictCode::kDifferValue);
  ASSERT_TRUE(verdict.difference);
  EXPECT_EQ(verdict.difference->what, Difference::What::kElement);
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
INSTANTIATE_TEST_SUITE_P(Controls, JudgeRejects,
                         ::testing::Values(Wrong{"NaNForNumber", kNaN, 1.F},
                                           Wrong{"NumberForNaN", 1.F, kNaN},
                                           Wrong{"InfForMax", kInf, 0x1.fffffep127F},
                                           Wrong{"MinusZeroForZero", -0.F, 0.F},
                                           Wrong{"MinusInfForInf", -kInf, kInf},
                                           Wrong{"NextFloat", 0x1.000002p0F, 1.F},
                                           Wrong{"SubnormalForZero", 0x1p-149F, 0.F}),
                         [](const auto& wrong) { return wrong.param.name; });

TEST(Judge, TellsTheErrorInUlpAndInSteps) {
  const auto difference_of = [](float subject, float oracle) {
    return *judge(exact_case(), floats({1.F, subject}), floats({1.F, oracle})).difference;
  };
  // Below 1 the distance of neighbouring floats is half of that above 1.
  EXPECT_EQ(difference_of(0x1.fffffcp-1F, 1.F), (Difference{.what = Difference::What::kElement,
                                                            .element = 1,
                                                            .dtype = DType::kFloat32,
                                                            .subject = "0.9999999",
                                                            .oracle = "1",
                                                            .ulp = 1,
                                                            .steps = 2}));
  EXPECT_EQ(sentence(difference_of(0x1.fffffcp-1F, 1.F)),
            "element 1: 0.9999999 against 1, 1 ulp of float32, 2 steps, allowed 0");
  EXPECT_EQ(difference_of(kNaN, 1.F).steps, std::nullopt);
  EXPECT_TRUE(std::isinf(difference_of(kNaN, 1.F).ulp));
}

TEST(Judge, AgreesOnNaNsOfAnySignAndPayload) {
  const Verdict verdict = judge(exact_case(), floats({kNaN}), floats({-kNaN}));
  EXPECT_EQ(verdict.code, VerdictCode::kAgree);
  EXPECT_EQ(verdict.values_judged, 1);
}

TEST(Judge, AllowsTheSumOfBothBoundsAndNoMore) {
  const auto verdict_at = [](float subject) {
    return judge(inexact_case(), floats({subject}), floats({1.F})).code;
  };
  // An error of 2 ulp is within 0.51 + 2, the bounds of both sides.
  EXPECT_EQ(verdict_at(0x1.000004p0F), VerdictCode::kAgree);
  EXPECT_EQ(verdict_at(0x1.000006p0F), VerdictCode::kDifferValue);  // 3 ulp
}

/// The bounds of exp in float32 are 0.51 ulp for ours, 2 for LibTorch's scalar paths, and the
/// larger of the two for a foreign side.
TEST(Judge, ForeignSidesHaveBoundsOfTheirOwn) {
  const auto verdict_at = [](int steps, std::string_view subject, std::string_view oracle) {
    Answer right = floats({1.F});
    if (oracle == "truth") right.rest = {0};
    const float off = 1 + static_cast<float>(steps) * 0x1p-23F;
    return judge(inexact_case(), floats({off}), right, sides_of(subject, oracle)).code;
  };
  struct Row {
    std::string_view oracle;
    int beyond_ours;  // steps that exceed our bound, but not the bound of foreign sides
    int beyond_both;
  };
  for (const auto& [oracle, beyond_ours, beyond_both] :
       {Row{"libtorch:cpu", 3, 5}, Row{"truth", 1, 3}, Row{"impl:cpu", 2, 3}}) {
    for (const std::string_view foreign : {"python:jax", "plugin:libmine.so", "process:./a.out"}) {
      EXPECT_EQ(verdict_at(beyond_ours, foreign, oracle), VerdictCode::kAgree) << foreign << oracle;
      EXPECT_EQ(verdict_at(beyond_both, foreign, oracle), VerdictCode::kDifferValue) << foreign;
    }
    EXPECT_EQ(verdict_at(beyond_ours, "impl:cpu", oracle), VerdictCode::kDifferValue) << oracle;
    EXPECT_EQ(verdict_at(beyond_ours - 1, "impl:cpu", oracle), VerdictCode::kAgree) << oracle;
  }
  const Case exact = parse_case("add.Tensor(float32[1], float32[1])");
  EXPECT_EQ(
      judge(exact, floats({1.F}), floats({0x1.000002p0F}), sides_of("python:jax", "libtorch:cpu"))
          .code,
      VerdictCode::kDifferValue)
      << "exact ops have one answer";
}

constexpr Sides kAgainstTruth{Implementation::kOurs, Implementation::kTruth};
constexpr Sides kTruthAsSubject{Implementation::kTruth, Implementation::kOurs};

/// The exact value lies `rest` steps above 1. Correct rounding errs by half a step at most.
TEST(Judge, AgainstTheTruthOneWrongStepOfExpIsADifference) {
  constexpr float kStep = 0x1p-23F;
  Answer truth = floats({1.F});
  const auto verdict_of = [&](float steps, double rest, Sides sides = kAgainstTruth) {
    truth.rest = {rest * static_cast<double>(kStep)};
    const Answer other = floats({1 + steps * kStep});
    const bool swapped = sides.subject == Implementation::kTruth;
    EXPECT_EQ(differing_elements(inexact_case(), other, truth, kAgainstTruth),
              differing_elements(inexact_case(), truth, other, kTruthAsSubject));
    return judge(inexact_case(), swapped ? truth : other, swapped ? other : truth, sides).code;
  };
  for (const double rest : {-0.5, 0.0, 0.25, 0.48}) {
    EXPECT_EQ(verdict_of(1, rest), VerdictCode::kDifferValue) << rest;
    EXPECT_EQ(verdict_of(1, rest, kTruthAsSubject), VerdictCode::kDifferValue) << rest;
    EXPECT_EQ(verdict_of(0, rest), VerdictCode::kAgree) << rest;
  }
  EXPECT_EQ(verdict_of(1, 0.495), VerdictCode::kAgree) << "0.505 ulp, ours may err by 0.51";
  EXPECT_EQ(verdict_of(1, 0.495, kTruthAsSubject), VerdictCode::kAgree);
  EXPECT_EQ(verdict_of(2, 0.25, {Implementation::kLibTorch, Implementation::kTruth}),
            VerdictCode::kAgree)
      << "LibTorch's bound was measured, it is no promise";
  truth.rest.clear();
  const Answer next = floats({1 + kStep});
  EXPECT_EQ(judge(inexact_case(), next, truth, kAgainstTruth).code, VerdictCode::kAgree)
      << "the exact value is not known: both bounds count";
}

TEST(Judge, MeasuresInTheCommonDtypeOfAWidenedResult) {
  const Case c = parse_case("exp.out(float32[1], out=float64[1])");
  const auto verdict_at = [&c](double subject) {
    return judge(c, tensor_of(DType::kFloat64, std::vector{subject}),
                 tensor_of(DType::kFloat64, std::vector{1.}))
        .code;
  };
  EXPECT_EQ(verdict_at(0x1.000004p0), VerdictCode::kAgree);
  EXPECT_EQ(verdict_at(0x1.000006p0), VerdictCode::kDifferValue);
}

/// float16 is finer than bfloat16, except among float16's subnormals, where its steps are larger.
TEST(Judge, MeasuresInTheCommonDtypeWhereThatIsTheCoarserOne) {
  const float step = 0x1p-24F;  // the step of float16's subnormals
  const auto verdict_of = [](const char* line, float subject, float oracle) {
    const auto answer = [](float value) {
      return tensor_of(DType::kBFloat16, std::vector{BFloat16(static_cast<double>(value))});
    };
    return judge(parse_case(line), answer(subject), answer(oracle)).code;
  };
  const char* const widened = "exp.out(float16[1], out=bfloat16[1])";
  EXPECT_EQ(verdict_of(widened, 2 * step, 3 * step), VerdictCode::kAgree);
  EXPECT_EQ(verdict_of(widened, step, 0), VerdictCode::kAgree);
  EXPECT_EQ(verdict_of(widened, 2 * step, 4 * step), VerdictCode::kDifferValue);
  // One step of bfloat16, which is allowed.
  EXPECT_EQ(verdict_of(widened, 1.0078125F, 1), VerdictCode::kAgree);
  EXPECT_EQ(verdict_of(widened, 1.015625F, 1), VerdictCode::kDifferValue);
  const char* const from_float32 = "exp.out(float32[1], out=bfloat16[1])";
  EXPECT_EQ(verdict_of(from_float32, 2 * step, 3 * step), VerdictCode::kDifferValue);
  const char* const composed = "huber_loss(bfloat16[], float16[1], reduction=0)";
  EXPECT_EQ(verdict_of(composed, 2 * step, 3 * step), VerdictCode::kAgree);
}

/// The coarsest step of a composition counts. In poisson_nll_loss, exp of a number is computed in
/// float32, the default dtype, even with a float64 tensor. l1_loss has no such step.
TEST(Judge, MeasuresACompositionInItsCoarsestStep) {
  const auto verdict_of = [](const char* line, double subject) {
    return judge(parse_case(line), tensor_of(DType::kFloat64, std::vector{subject}),
                 tensor_of(DType::kFloat64, std::vector{1.0}))
        .code;
  };
  const char* const number = "poisson_nll_loss(2.5, float64[1], True, False, 1e-8, 0)";
  const char* const tensor = "poisson_nll_loss(float64[1], float64[1], True, False, 1e-8, 0)";
  const char* const difference = "l1_loss(float64[1], 2.5, reduction=0)";
  EXPECT_EQ(verdict_of(number, 0x1.000002p0), VerdictCode::kAgree);
  EXPECT_EQ(verdict_of(tensor, 0x1.000002p0), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict_of(difference, 0x1.000002p0), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict_of(number, 0x1.001p0), VerdictCode::kDifferValue);
}

TEST(Judge, ComplexErrorsAreMeasuredAtTheLargerPart) {
  const Case c = parse_case("exp(complex64[1])");
  const auto verdict_at = [&c](float im) {
    return judge(c, tensor_of(DType::kComplex64, std::vector<Complex<float>>{{1.F, im}}),
                 tensor_of(DType::kComplex64, std::vector<Complex<float>>{{1.F, 0x1p-40F}}))
        .code;
  };
  EXPECT_EQ(verdict_at(0x1p-23F), VerdictCode::kAgree);
  EXPECT_EQ(verdict_at(0x1p-20F), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict_at(kNaN), VerdictCode::kDifferValue);
}

TEST(Judge, TellsDTypeShapeStridesAndRefusalApart) {
  const Answer one = floats({1.F, 2.F});
  Answer other = one;
  other.dtype = DType::kInt32;
  EXPECT_EQ(judge(exact_case(), one, other).code, VerdictCode::kDifferDType);
  other = one;
  other.sizes = {1, 2};
  other.strides = {2, 1};
  EXPECT_EQ(judge(exact_case(), one, other).code, VerdictCode::kDifferShape);
  other = one;
  other.strides = {2};
  EXPECT_EQ(judge(exact_case(), one, other).code, VerdictCode::kDifferStrides);
  EXPECT_EQ(judge(exact_case(), one, refusal()).code, VerdictCode::kDifferAccepts);
  EXPECT_EQ(judge(exact_case(), refusal(), one).code, VerdictCode::kDifferRefusal);
  EXPECT_EQ(judge(exact_case(), refusal(), refusal()).code, VerdictCode::kAgree);
}

TEST(Judge, ARefusalForAnotherReasonAgrees) {
  Answer other = refusal();
  other.rejection = RejectionCode::kShapeMismatch;
  EXPECT_EQ(judge(exact_case(), refusal(), other).code, VerdictCode::kAgree);
}

TEST(Judge, ABrokenAnswerIsAsGoodAsACrash) {
  const Answer broken{.tag = Answer::Tag::kBroken, .detail = "strides without a shape"};
  const Answer right = floats({1.F});
  const Answer silent{.tag = Answer::Tag::kNotJudged};
  EXPECT_EQ(judge(exact_case(), broken, right).code, VerdictCode::kCrash);
  EXPECT_EQ(judge(exact_case(), right, broken).code, VerdictCode::kCrash);
  EXPECT_EQ(judge(exact_case(), broken, broken).code, VerdictCode::kCrash);
  EXPECT_EQ(judge(exact_case(), broken, silent).code, VerdictCode::kCrash);
  EXPECT_EQ(to_text(broken), "broken(strides without a shape)");
}

TEST(Judge, ASideThatCannotSayIsNotJudged) {
  Answer silent{.tag = Answer::Tag::kNotJudged};
  silent.detail = "no such op";
  const Verdict verdict = judge(exact_case(), silent, refusal());
  EXPECT_EQ(verdict.code, VerdictCode::kNotJudged);
  EXPECT_EQ(verdict.not_judged, NotJudged::kSideCannotSay);
  EXPECT_EQ(sentence(verdict), "no such op");
}

TEST(Judge, NamesTheElementsBeyondTheBounds) {
  const Answer right = floats({1.0F, 1.0F, 0.0F, kNaN});
  const Answer other = floats({1.0F, 1.0000001F, -0.0F, kNaN});
  EXPECT_EQ(differing_elements(exact_case(), other, right), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(differing_elements(inexact_case(), other, right), (std::vector<std::size_t>{2}));
  EXPECT_TRUE(differing_elements(exact_case(), right, right).empty());
}

TEST(Judge, CountsTheValuesItCompared) {
  const Answer three = floats({1.F, 2.F, 3.F});
  EXPECT_EQ(judge(exact_case(), three, three).values_judged, 3);
  const Answer none = floats({});
  EXPECT_EQ(judge(exact_case(), none, none).values_judged, 0);
}

/// The leeway that a side gives to an element is added to both bounds, and no more.
TEST(Judge, AddsTheLeewayOfAnElement) {
  const Answer subject = floats({1.25F, 2, -0.F});
  Answer oracle = floats({1, 2, 0});
  EXPECT_EQ(judge(exact_case(), subject, oracle).code, VerdictCode::kDifferValue);
  oracle.leeway = {0.25, 0, 1e-300};
  EXPECT_EQ(judge(exact_case(), subject, oracle).code, VerdictCode::kAgree);
  EXPECT_TRUE(differing_elements(exact_case(), subject, oracle).empty());
  oracle.leeway = {0.2499999, 0, 1e-300};
  EXPECT_EQ(judge(exact_case(), subject, oracle).code, VerdictCode::kDifferValue);
  oracle.leeway = {0.25, 0, 0};
  EXPECT_EQ(differing_elements(exact_case(), subject, oracle), (std::vector<std::size_t>{2}));
  const Answer nan = floats({kNaN, 2, 0});
  oracle.leeway = {1e30, 0, 0};
  EXPECT_EQ(judge(exact_case(), nan, oracle).code, VerdictCode::kDifferValue);
}

/// An element that a side cannot tell is left out; the others are judged.
TEST(Judge, LeavesOutWhatASideCannotTell) {
  Answer oracle = floats({1, 2, 3});
  oracle.leeway = {0, std::numeric_limits<double>::infinity(), 0};
  const Verdict other = judge(exact_case(), floats({1, 7, 3}), oracle);
  EXPECT_EQ(other.code, VerdictCode::kAgree);
  EXPECT_EQ(other.values_judged, 2);
  EXPECT_EQ(judge(exact_case(), floats({1, 7, 4}), oracle).code, VerdictCode::kDifferValue);
  oracle.leeway.assign(3, std::numeric_limits<double>::infinity());
  const Verdict none = judge(exact_case(), floats({5, 6, 7}), oracle);
  EXPECT_EQ(none.code, VerdictCode::kNotJudged);
  EXPECT_EQ(none.not_judged, NotJudged::kNoTruth);
}

TEST(Judge, NamesTheIntegersThatDiffer) {
  const Answer subject = tensor_of<std::int32_t>(DType::kInt32, {1, 2, 3});
  const Answer oracle = tensor_of<std::int32_t>(DType::kInt32, {1, 5, 3});
  EXPECT_EQ(differing_elements(parse_case("add.Tensor(int32[3], int32[3])"), subject, oracle),
            (std::vector<std::size_t>{1}));
}

TEST(Judge, ASideWithoutValuesLeavesThemUnjudged) {
  const Answer whole = floats({1.F, 2.F});
  Answer meta = whole;
  meta.bytes.clear();
  meta.without_values = true;
  const Verdict verdict = judge(exact_case(), whole, meta);
  EXPECT_EQ(verdict.code, VerdictCode::kAgree);
  EXPECT_EQ(verdict.values_judged, 0);
  meta.dtype = DType::kFloat64;
  EXPECT_EQ(judge(exact_case(), whole, meta).code, VerdictCode::kDifferDType);
}

TEST(Judge, ASideWithoutValuesIsNoWitnessAgainstAKernel) {
  Answer meta = floats({});
  meta.without_values = true;
  Answer refused = refusal();
  for (const auto code : {RejectionCode::kUnsupportedDType, RejectionCode::kAttributeOverflow,
                          RejectionCode::kZeroDivision}) {
    refused.rejection = code;
    EXPECT_EQ(judge(exact_case(), refused, meta).code, VerdictCode::kNotJudged);
    EXPECT_EQ(judge(exact_case(), meta, refused).code, VerdictCode::kNotJudged);
    EXPECT_EQ(judge(exact_case(), refused, refused).code, VerdictCode::kAgree);
  }
  for (const auto code : {RejectionCode::kPromotion, RejectionCode::kShapeMismatch,
                          RejectionCode::kMemoryOverlap, RejectionCode::kResultCast}) {
    refused.rejection = code;
    EXPECT_EQ(judge(exact_case(), refused, meta).code, VerdictCode::kDifferRefusal);
  }
  meta.without_values = false;
  refused.rejection = RejectionCode::kUnsupportedDType;
  EXPECT_EQ(judge(exact_case(), refused, meta).code, VerdictCode::kDifferRefusal);
}

TEST(JudgeExpectation, OfABoolAnswer) {
  Answer yes{.tag = Answer::Tag::kTensor, .dtype = DType::kBool};
  yes.bytes = {std::byte{1}};
  const auto unmet = [&yes](const char* line) { return judge_expectation(parse_case(line), yes); };
  EXPECT_EQ(unmet("can_cast(int64, uint8) -> True"), std::nullopt);
  EXPECT_EQ(unmet("can_cast(int64, uint8) -> False")->expected, "False");
}

TEST(JudgeExpectation, IsMetOrNot) {
  const Answer answer = floats({1.F, 2.F, 3.F});
  const auto unmet = [](std::string line, const Answer& given) {
    const auto found = judge_expectation(parse_case(line), given);
    return found ? sentence(*found) : "";
  };
  const std::string call = "add.Tensor(float32[3], 1)";
  const std::string says = "the subject answers float32[3]{1,2,3}: the line expects ";
  EXPECT_EQ(unmet(call, answer), "");
  EXPECT_EQ(unmet(call + " -> float32[3]", answer), "");
  EXPECT_EQ(unmet(call + " -> float32[3]{1,2,3}", answer), "");
  EXPECT_EQ(unmet(call + " -> float32[3]{1,2,4}", answer),
            says +
                "other values, element 2: 3 against 4, 2.1e+06 ulp of float32, 4194304 steps, "
                "allowed 0");
  EXPECT_EQ(unmet(call + " -> float64[3]", answer), says + "float64");
  EXPECT_EQ(unmet(call + " -> float32[2]", answer), says + "shape [2]");
  EXPECT_EQ(unmet(call + " -> refuses", answer), says + "a refusal");
  EXPECT_EQ(unmet(call + " -> refuses", refusal()), "");
  EXPECT_EQ(unmet(call + " -> float32[3]", refusal()),
            "the subject answers refuses(promotion): the line expects an answer");
}

TEST(Judge, ScaleExcusesNothingAgainstTheTruth) {
  // The scale of bessel_j0 is 0.1: smaller values are measured in ulp of 0.1.
  const Case c = parse_case("special_bessel_j0(float32[1])");
  const auto code = [&](Sides sides) {
    return judge(c, floats({1e-5F}), floats({1.001e-5F}), sides).code;
  };
  using enum Implementation;
  EXPECT_EQ(code({kOurs, kLibTorch}), VerdictCode::kAgree);
  for (const Implementation side : {kOurs, kLibTorch, kLibTorchNative, kForeign})
    EXPECT_EQ(code({side, kTruth}), VerdictCode::kDifferValue) << words(side);
}

}  // namespace
}  // namespace upcast
