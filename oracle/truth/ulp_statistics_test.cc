#include "oracle/truth/ulp_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace upcast::truth {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

UlpStatistics of(std::vector<double> answers, const std::vector<Value>& truth,
                 std::uint64_t first = 0) {
  UlpStatistics statistics;
  measure(DType::kFloat32, answers, truth, first, statistics);
  return statistics;
}

const std::vector<Value> kTruth{{.rounded = 1, .high = 1 + 0x1p-25},
                                {.rounded = kInf, .high = kInf},
                                {.rounded = kNaN, .high = kNaN},
                                {.rounded = -0.0, .high = -0.0}};

TEST(UlpStatistics, OfTheRightAnswers) {
  const UlpStatistics right = of({1, kInf, kNaN, -0.0}, kTruth);
  EXPECT_EQ(right.inputs, 4);
  EXPECT_EQ(right.correctly_rounded, 4);
  EXPECT_EQ(right.misplaced, 0);
  EXPECT_EQ(right.max_steps, 0U);
  // The exact value of one element lies a quarter of an ulp above it.
  EXPECT_EQ(right.max_ulp(), 0.25);
  EXPECT_EQ(right.worst.rows().front().index, 0U);
}

TEST(UlpStatistics, OneUlpOffAtOneInputIsSeen) {
  const UlpStatistics off = of({1 + 0x1p-23, kInf, kNaN, -0.0}, kTruth, 100);
  EXPECT_EQ(off.correctly_rounded, 3);
  EXPECT_EQ(off.max_ulp(), 0.75);
  EXPECT_EQ(off.max_steps, 1U);
  EXPECT_EQ(off.worst.rows().front().index, 100U);
}

TEST(UlpStatistics, AFlippedZeroANumberForNaNAndAFiniteForAnInfinityAreMisplaced) {
  EXPECT_EQ(of({1, kInf, kNaN, 0.0}, kTruth).misplaced, 1);
  EXPECT_EQ(of({1, kInf, 3, -0.0}, kTruth).misplaced, 1);
  EXPECT_EQ(of({kNaN, kInf, kNaN, -0.0}, kTruth).misplaced, 1);
  const UlpStatistics finite = of({1, 3e38, kNaN, -0.0}, kTruth, 7);
  EXPECT_EQ(finite.misplaced, 1);
  EXPECT_EQ(finite.first_misplaced, 8U);
}

TEST(UlpStatistics, AZeroOfEitherSignIsRightWhereNothingSaysWhich) {
  const std::vector<Value> open{{.rounded = 0, .high = 0, .leeway = 1e-45}};
  EXPECT_EQ(of({-0.0}, open).misplaced, 0);
  EXPECT_EQ(of({-0.0}, open).correctly_rounded, 1);
  EXPECT_EQ(of({-0.0}, {{.rounded = 0, .high = 0}}).misplaced, 1);
}

UlpStatistics of_complex(std::vector<double> parts, const std::vector<Value>& truth) {
  UlpStatistics statistics;
  measure(DType::kComplex64, parts, truth, 10, statistics);
  return statistics;
}

TEST(UlpStatistics, AComplexNumberIsMeasuredAtItsLargerPart) {
  const std::vector<Value> truth{{.rounded = 4, .high = 4}, {.rounded = 0x1p-20, .high = 0x1p-20}};
  const UlpStatistics off = of_complex({4, 0x1p-20 + 0x1p-22}, truth);
  EXPECT_EQ(off.inputs, 1);
  EXPECT_EQ(off.correctly_rounded, 0);
  EXPECT_EQ(off.max_ulp(), 0.5) << "2^-22 away from 4, whose ulp is 2^-21";
  EXPECT_EQ(off.max_steps, 1U << 21) << "of the part itself";
  EXPECT_EQ(off.worst.rows().front().index, 10U);
  EXPECT_EQ(of_complex({4, 0x1p-20}, truth).correctly_rounded, 1);
}

TEST(UlpStatistics, AComplexNumberIsMisplacedInEitherPart) {
  const std::vector<Value> truth{{.rounded = 1, .high = 1}, {.rounded = -0.0, .high = -0.0}};
  EXPECT_EQ(of_complex({1, 0.0}, truth).misplaced, 1);
  EXPECT_EQ(of_complex({kNaN, -0.0}, truth).misplaced, 1);
  EXPECT_EQ(of_complex({kNaN, 0.0}, truth).misplaced, 1) << "one number";
  EXPECT_EQ(of_complex({1, -0.0}, truth).misplaced, 0);
  const std::vector<Value> open{{.rounded = 1, .high = 1}, {.decided = false}};
  EXPECT_EQ(of_complex({7, 7}, open).undecided, 1);
}

TEST(UlpStatistics, SaturationIsNoError) {
  const std::vector<Value> truth{{.rounded = 448, .high = 1000}, {.rounded = 448, .high = 448}};
  UlpStatistics right;
  measure(DType::kFloat8E4M3FN, std::vector<double>{448, 448}, truth, 0, right);
  EXPECT_EQ(right.correctly_rounded, 2);
  EXPECT_EQ(right.measured, 1);
  EXPECT_EQ(right.max_ulp(), 0);
  UlpStatistics wrong;
  measure(DType::kFloat8E4M3FN, std::vector<double>{416, 448}, truth, 0, wrong);
  EXPECT_GT(wrong.max_ulp(), 1);
}

TEST(UlpStatistics, AnErrorBeyondAllMeasureIsFinite) {
  UlpStatistics off;
  measure(DType::kFloat64, std::vector<double>{1e308, -1e308},
          std::vector<Value>{{.rounded = 5e-324, .high = 5e-324}, {.rounded = 1, .high = 1}}, 0,
          off);
  EXPECT_EQ(off.max_ulp(), UlpStatistics::kLargestError);
  EXPECT_TRUE(std::isfinite(off.mean_ulp()));
}

/// A chunk of an older version holds no steps. Merged with it, the largest number of steps is
/// unknown.
TEST(UlpStatistics, StepsAreOfEveryPartOrUnknown) {
  UlpStatistics all = of({1 + 0x1p-23, kInf, kNaN, -0.0}, kTruth);
  all.merge(of({1 + 0x1p-21, kInf, kNaN, -0.0}, kTruth));
  EXPECT_EQ(all.max_steps, 4U);
  UlpStatistics older;
  older.max_steps = std::nullopt;
  all.merge(older);
  all.merge(of({1, kInf, kNaN, -0.0}, kTruth));
  EXPECT_EQ(all.max_steps, std::nullopt);
}

TEST(UlpStatistics, MergeInAnyOrder) {
  const UlpStatistics a = of({1 + 0x1p-23, kInf, 3, -0.0}, kTruth, 8);
  const UlpStatistics b = of({1 + 0x1p-23, 1, kNaN, -0.0}, kTruth, 4);
  UlpStatistics ab = a;
  ab.merge(b);
  UlpStatistics ba = b;
  ba.merge(a);
  EXPECT_EQ(ab, ba);
  EXPECT_EQ(ab.inputs, 8);
  ASSERT_EQ(ab.worst.rows().size(), 2U);
  EXPECT_EQ(ab.worst.rows()[0].index, 4U) << "of equal errors the first input";
  EXPECT_EQ(ab.worst.rows()[1].index, 8U);
  EXPECT_EQ(ab.first_misplaced, 5U);
}

TEST(WorstRows, KeepsTheLargestOfMany) {
  WorstRows<InputError> up;
  WorstRows<InputError> down;
  for (std::uint64_t i = 0; i < 100; ++i) {
    up.add({static_cast<double>(i % 50), i});
    down.add({static_cast<double>((99 - i) % 50), 99 - i});
  }
  EXPECT_EQ(up, down);
  ASSERT_EQ(up.rows().size(), WorstRows<InputError>::kKept);
  EXPECT_EQ(up.rows()[0], (InputError{49, 49}));
  EXPECT_EQ(up.rows()[1], (InputError{49, 99}));
  EXPECT_EQ(up.rows()[2], (InputError{48, 48}));
}

}  // namespace
}  // namespace upcast::truth
