#include "oracle/truth/arbitrate.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/same_value.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/truth/ulp_statistics.h"
#include "oracle/ulp.h"
#include "oracle/verdict_text.h"

namespace upcast::truth {
namespace {

using Outcome = Ruling::Outcome;

float& element(Answer& answer, std::size_t i) {
  return reinterpret_cast<float*>(answer.bytes.data())[i];
}

/// Both sides count as ours, so that only our own bounds apply.
constexpr Sides kSides{Implementation::kOurs, Implementation::kOurs};

class Arbitrate : public ::testing::Test {
 protected:
  const Case case_ = parse_case("exp(float32[2,3]:permuted{0,1,2,3,-4,-0.0})");
  ImplSubject ours_;
  Answer right_ = answer_of(ours_, case_);
};

TEST_F(Arbitrate, NamesTheSideThatIsOff) {
  Answer wrong = right_;
  element(wrong, 4) *= 1.00001F;
  const Ruling subject = arbitrate(case_, wrong, right_, kSides);
  EXPECT_EQ(subject.outcome, Outcome::kSubjectIsOff) << sentence(subject);
  EXPECT_EQ(subject.element, 4);
  EXPECT_GT(subject.subject_ulp, 50);
  EXPECT_LE(subject.oracle_ulp, 0.51);
  EXPECT_EQ(arbitrate(case_, right_, wrong, kSides).outcome, Outcome::kOracleIsOff);
  Answer worse = wrong;
  element(worse, 4) *= 1.00001F;
  EXPECT_EQ(arbitrate(case_, worse, wrong, kSides).outcome, Outcome::kBothAreOff);
  EXPECT_EQ(sentence(arbitrate(case_, right_, wrong, kSides)).substr(0, 6), "truth ");
}

TEST_F(Arbitrate, ASpecialValueOutOfPlaceIsInfinitelyFar) {
  Answer wrong = right_;
  element(wrong, 0) = std::numeric_limits<float>::quiet_NaN();
  const Ruling arbitration = arbitrate(case_, wrong, right_, kSides);
  EXPECT_EQ(arbitration.outcome, Outcome::kSubjectIsOff);
  EXPECT_TRUE(std::isinf(arbitration.subject_ulp));

  const Case sine = parse_case("sin(float32[1]{-0.0})");
  Answer zero = answer_of(ours_, sine);
  Answer flipped = zero;
  element(flipped, 0) = 0.0F;
  EXPECT_EQ(arbitrate(sine, flipped, zero, kSides).outcome, Outcome::kSubjectIsOff);
}

TEST_F(Arbitrate, AFurtherResultCountsToo) {
  const Case c = parse_case("frexp.Tensor(float32[3]{1,-6,0.25})");
  const Answer right = answer_of(ours_, c);
  ASSERT_EQ(right.further.size(), 1U);
  Answer wrong = right;
  reinterpret_cast<std::int32_t*>(wrong.further[0].bytes.data())[1] += 1;
  const Ruling subject = arbitrate(c, wrong, right, kSides);
  EXPECT_EQ(subject.outcome, Outcome::kSubjectIsOff) << sentence(subject);
  EXPECT_EQ(sentence(subject),
            "truth of element 1 of result 2 3: the subject is off (subject the wrong value, "
            "oracle 0 ulp)");
  EXPECT_EQ(arbitrate(c, right, wrong, kSides).outcome, Outcome::kOracleIsOff);
  Answer worse = wrong;
  reinterpret_cast<std::int32_t*>(worse.further[0].bytes.data())[1] += 1;
  EXPECT_EQ(arbitrate(c, worse, wrong, kSides).outcome, Outcome::kBothAreOff);
  EXPECT_EQ(arbitrate(c, right, right, kSides).outcome, Outcome::kUndecided);
  element(wrong, 0) = 3;  // now the first result is wrong too, and it is ruled on first
  EXPECT_EQ(arbitrate(c, wrong, right, kSides).result, 0);
}

/// The truth is never ruled to be off, whatever the other side answers.
TEST_F(Arbitrate, TheTruthIsNeverOff) {
  const char* const lines[] = {"exp(float32[64], values=random, seed=3)",
                               "lgamma(float16[64], values=special)",
                               "div.Tensor(float64[64], float64[64], values=special)",
                               "special_airy_ai(float32[64], values=random, seed=4)",
                               "sub.Tensor(bfloat16[8,1], bfloat16[8], values=special)"};
  TruthSubject truth;
  int arbitrated = 0;
  for (const char* line : lines) {
    const Case c = parse_case(line);
    const Answer right = answer_of(truth, c);
    ASSERT_EQ(right.tag, Answer::Tag::kTensor) << line;
    const auto size = static_cast<std::size_t>(itemsize(right.dtype));
    for (std::size_t i = 0; i < right.bytes.size() / size; ++i) {
      Answer wrong = right;
      // This mistake changes the sign of the element, and some bits of its exponent.
      wrong.bytes[i * size + size - 1] ^= std::byte{0x45};
      if (differing_elements(c, right, wrong, kSides).empty()) continue;
      const Ruling arbitration = arbitrate(c, right, wrong, kSides);
      EXPECT_EQ(arbitration.outcome, Outcome::kOracleIsOff)
          << line << " " << i << " " << sentence(arbitration);
      ++arbitrated;
    }
  }
  EXPECT_GT(arbitrated, 250);
}

/// exp of this input lies 3e-11 from the middle between two values of float16. A float32 result
/// within its bounds may be rounded to either of them.
TEST_F(Arbitrate, ANarrowerOutMayTakeEitherNeighbour) {
  const Case c = parse_case("exp.out(float32[1]{4.8816208e-4}, out=float16[1])");
  const Answer right = answer_of(ours_, c);
  const auto with_bits = [&right](std::uint16_t bits) {
    Answer answer = right;
    std::memcpy(answer.bytes.data(), &bits, sizeof(bits));
    return answer;
  };
  const Answer wrong = with_bits(0x3c04);
  for (const std::uint16_t bits : {0x3c00, 0x3c01}) {
    const Ruling arbitration = arbitrate(c, with_bits(bits), wrong, kSides);
    EXPECT_EQ(arbitration.outcome, Outcome::kOracleIsOff) << bits << " " << sentence(arbitration);
  }
  EXPECT_EQ(arbitrate(c, with_bits(0x3c06), wrong, kSides).outcome, Outcome::kBothAreOff);
}

/// 255.9375 squared is 65504.004, half a step of float16 below overflow. An implementation that may
/// err by 1 ulp may answer inf there, but not for a smaller square.
TEST_F(Arbitrate, WhatMayErrMayOverflow) {
  constexpr Sides kAgainstLibTorch{Implementation::kOurs, Implementation::kLibTorch};
  const auto ruling_on_infinity = [&](const char* line) {
    const Case c = parse_case(line);
    const Answer right = answer_of(ours_, c);
    Answer infinite = right;
    constexpr std::uint16_t kInfinity = 0x7c00;
    std::memcpy(infinite.bytes.data(), &kInfinity, sizeof(kInfinity));
    return arbitrate(c, right, infinite, kAgainstLibTorch);
  };
  const Ruling edge =
      ruling_on_infinity("mse_loss(float16[1]{256}, float16[1]{0.0625}, reduction=0)");
  EXPECT_TRUE(edge.both_are_right()) << sentence(edge);
  const Ruling below = ruling_on_infinity("mse_loss(float16[1]{254}, float16[1]{0}, reduction=0)");
  EXPECT_EQ(below.outcome, Outcome::kOracleIsOff) << sentence(below);
  EXPECT_TRUE(std::isinf(below.oracle_ulp));
  const Ruling exact = ruling_on_infinity("mul.Tensor(float16[1]{65504}, float16[1]{1})");
  EXPECT_EQ(exact.outcome, Outcome::kOracleIsOff) << "mul may not err: " << sentence(exact);
}

/// The subject computes 5.9 + 0.00039 in float32, without rounding to the common dtype float16.
/// That is within half an ulp, but by another promotion.
TEST_F(Arbitrate, OfAnExactOpTwoValuesAreNotBothRight) {
  const Case c = parse_case("add.out(int16[1]{6}, float16[]{-0.1}, out=float32[1])");
  Answer right = answer_of(ours_, c);
  Answer unrounded = right;
  element(unrounded, 0) = 6 - 0.0999755859375F;
  ASSERT_NE(element(unrounded, 0), element(right, 0));
  for (const Implementation other : {Implementation::kOurs, Implementation::kLibTorch}) {
    const Ruling found = arbitrate(c, unrounded, right, {Implementation::kOurs, other});
    EXPECT_FALSE(found.both_are_right()) << sentence(found);
    EXPECT_EQ(found.outcome, Outcome::kUndecided);
  }
}

/// Below 1 an ulp is half as wide as at 1. An answer 2 ulp off the truth there is 4 ulp off the
/// oracle's own value, which the judge does not accept.
TEST_F(Arbitrate, BothAreRightWithinTheirBounds) {
  constexpr Sides kAgainstLibTorch{Implementation::kOurs, Implementation::kLibTorch};
  const Case c = parse_case("exp(float32[2]{0,0})");
  const Answer right = answer_of(ours_, c);
  Answer other = right;
  element(other, 1) = 1 - 0x1p-22F;
  ASSERT_EQ(judge(c, right, other, kAgainstLibTorch).code, VerdictCode::kDifferValue);
  const Ruling both = arbitrate(c, right, other, kAgainstLibTorch);
  EXPECT_EQ(both.outcome, Outcome::kBothAreRight) << sentence(both);
  EXPECT_FALSE(arbitrate(c, right, other, kAgainstLibTorch).subject_is_off());
  element(other, 0) = 1 - 0x1p-21F;
  EXPECT_FALSE(arbitrate(c, right, other, kAgainstLibTorch).both_are_right())
      << "one element is off";
  std::swap(element(other, 0), element(other, 1));
  EXPECT_FALSE(arbitrate(c, right, other, kAgainstLibTorch).both_are_right())
      << "the second one is";
}

/// Moves the bits of the first element by `steps`, to a neighbouring value for each step.
Answer stepped(Answer answer, int steps) {
  std::uint64_t bits = 0;
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  std::memcpy(&bits, answer.bytes.data(), size);
  bits += static_cast<std::uint64_t>(steps);
  std::memcpy(answer.bytes.data(), &bits, size);
  answer.rest.clear();
  return answer;
}

/// One step must count as one ulp, whether the result was computed in float64, in integers, or in
/// its own dtype. The results are 3 and 1.5: around them all dtypes have neighbours at equal
/// distances.
TEST_F(Arbitrate, OneStepOfAnyResultIsOneUlpForJudgeTruthAndStatistics) {
  const std::string formulas[] = {"add.out(float64[1]{1}, float64[1]{2}, out=%[1])",
                                  "add.out(int32[1]{1}, int32[1]{2}, out=%[1])",
                                  "exp.out(%[1]{0.40546510810816438}, out=%[1])",
                                  "exp.out(float32[1]{0.40546510810816438}, out=%[1])"};
  int asked = 0;
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = dtype_from_code(i);
    if (!is_floating(dtype) || ulp_of(dtype, 1) == 1) continue;  // float8_e8m0fnu has no value 3
    for (std::string line : formulas) {
      for (std::size_t at = 0; (at = line.find('%')) != line.npos;)
        line.replace(at, 1, name(dtype));
      const Case c = parse_case(line);
      const Answer right = answer_of(ours_, c);
      if (right.tag != Answer::Tag::kTensor) continue;  // exp refuses float8
      ++asked;
      const bool is_exact = line.starts_with("add");
      for (const int steps : {-1, 1, 2}) {
        const Answer wrong = stepped(right, steps);
        const Verdict verdict = judge(c, wrong, right, kSides);
        const double ulp = std::abs(steps);
        EXPECT_EQ(verdict.max_ulp, ulp) << line << ' ' << steps;
        UlpStatistics statistics;
        const double rounded = parts_of(dtype, right.bytes.data())[0];
        const Value truth{.rounded = rounded, .high = rounded};
        measure(dtype, {&parts_of(dtype, wrong.bytes.data())[0], 1}, {&truth, 1}, 0, statistics);
        EXPECT_EQ(statistics.max_ulp(), ulp) << line << ' ' << steps;
        // The op exp may err by so little that the judge accepts one step.
        if (verdict.code == VerdictCode::kAgree) continue;
        const Ruling ruling = arbitrate(c, wrong, right, kSides);
        EXPECT_EQ(ruling.outcome, Outcome::kSubjectIsOff) << line << ' ' << sentence(ruling);
        EXPECT_NEAR(ruling.subject_ulp, ulp, is_exact ? 0 : 0.51) << line << ' ' << steps;
        EXPECT_EQ(ruling.oracle_ulp, 0) << line;
      }
    }
  }
  EXPECT_GT(asked, 20);
}

TEST_F(Arbitrate, SaysWhyItCannot) {
  const Case c = parse_case("bitwise_and.Tensor(int32[2], int32[2])");
  const Answer answer = answer_of(ours_, c);
  EXPECT_EQ(arbitrate(c, answer, answer, kSides).outcome, Outcome::kUndecided);
  const Case no_truth = parse_case("ldexp.Tensor(float32[2]{1.5,2.5}, float32[2]{1.5,2.5})");
  Answer wrong = answer_of(ours_, no_truth);
  element(wrong, 0) = 3000;
  const Ruling arbitration = arbitrate(no_truth, wrong, answer_of(ours_, no_truth), kSides);
  EXPECT_EQ(arbitration.outcome, Outcome::kUndecided);
  EXPECT_NE(sentence(arbitration).find("no truth"), std::string::npos) << sentence(arbitration);
}

}  // namespace
}  // namespace upcast::truth
