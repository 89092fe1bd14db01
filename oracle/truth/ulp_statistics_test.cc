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
  EXPECT_EQ(right.max_ulp, 0.25);  // the exact value lies a quarter of an ulp above
  EXPECT_EQ(right.worst, 0U);
}

TEST(UlpStatistics, OneUlpOffAtOneInputIsSeen) {
  const UlpStatistics off = of({1 + 0x1p-23, kInf, kNaN, -0.0}, kTruth, 100);
  EXPECT_EQ(off.correctly_rounded, 3);
  EXPECT_EQ(off.max_ulp, 0.75);
  EXPECT_EQ(off.worst, 100U);
}

TEST(UlpStatistics, AFlippedZeroANumberForNaNAndAFiniteForAnInfinityAreMisplaced) {
  EXPECT_EQ(of({1, kInf, kNaN, 0.0}, kTruth).misplaced, 1);
  EXPECT_EQ(of({1, kInf, 3, -0.0}, kTruth).misplaced, 1);
  EXPECT_EQ(of({kNaN, kInf, kNaN, -0.0}, kTruth).misplaced, 1);
  const UlpStatistics finite = of({1, 3e38, kNaN, -0.0}, kTruth, 7);
  EXPECT_EQ(finite.misplaced, 1);
  EXPECT_EQ(finite.first_misplaced, 8U);
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
  EXPECT_EQ(ab.worst, 4U);
  EXPECT_EQ(ab.first_misplaced, 5U);
}

}  // namespace
}  // namespace upcast::truth
