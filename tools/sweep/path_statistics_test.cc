#include "tools/sweep/path_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace upcast::tools {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNaN = std::nanf("");

template <class T>
std::span<const std::byte> bytes(const std::vector<T>& elements) {
  return std::as_bytes(std::span(elements));
}

template <class T>
PathStatistics compare(DType dtype, const std::vector<T>& reference, const std::vector<T>& other,
                       std::uint64_t first = 0) {
  PathStatistics statistics;
  compare_paths(dtype, bytes(reference), bytes(other), first, statistics);
  return statistics;
}

PathStatistics floats(const std::vector<float>& reference, const std::vector<float>& other,
                      std::uint64_t first = 0) {
  return compare(DType::kFloat32, reference, other, first);
}

TEST(PathStatistics, EqualBitsAreNoDifference) {
  const std::vector<float> values{0, -0.0F, 1, kInf, kNaN};
  const PathStatistics same = floats(values, values);
  EXPECT_EQ(same.inputs, 5);
  EXPECT_EQ(same.different() + same.nan_bits, 0);
  EXPECT_EQ(same.max_steps(), 0);
}

TEST(PathStatistics, StepsAreCountedOverZero) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const PathStatistics found = floats({1, tiny, 2}, {std::nextafter(1.0F, 2.0F), -tiny, 2}, 10);
  EXPECT_EQ(found.stepped, 2);
  EXPECT_EQ(found.misplaced, 0);
  ASSERT_EQ(found.worst.rows().size(), 2U);
  EXPECT_EQ(found.worst.rows()[0], (PathDifference{2, 11, 1, 0x80000001}));
  EXPECT_EQ(found.worst.rows()[1].error, 1);
  EXPECT_EQ(found.first.rows()[0].index, 10U);
  EXPECT_EQ(found.histogram[0], 1);
  EXPECT_EQ(found.histogram[1], 1);
}

TEST(PathStatistics, AFlippedZeroANaNAndAnInfinityForANumberAreMisplaced) {
  EXPECT_EQ(floats({0}, {-0.0F}).misplaced, 1);
  EXPECT_EQ(floats({1}, {kNaN}).misplaced, 1);
  EXPECT_EQ(floats({kInf}, {std::numeric_limits<float>::max()}).misplaced, 1);
  EXPECT_EQ(floats({kInf}, {-kInf}).misplaced, 1);
  EXPECT_EQ(floats({1, 0}, {1, -0.0F}, 6).first_misplaced.rows()[0].index, 7U);
}

TEST(PathStatistics, TwoNaNsAreCountedApart) {
  const PathStatistics found = floats({kNaN}, {-kNaN});
  EXPECT_EQ(found.different(), 0);
  EXPECT_EQ(found.nan_bits, 1);
}

TEST(PathStatistics, OfComplexNumbersTheWorsePartCounts) {
  const float above = std::nextafter(1.0F, 2.0F);
  const PathStatistics found = compare<float>(DType::kComplex64, {1, 1, 1, 0},
                                              {above, std::nextafter(above, 2.0F), 1, -0.0F});
  EXPECT_EQ(found.inputs, 2);
  EXPECT_EQ(found.stepped, 1);
  EXPECT_EQ(found.misplaced, 1);
  EXPECT_EQ(found.max_steps(), 2);
}

TEST(PathStatistics, IntegersHaveStepsToo) {
  EXPECT_EQ(compare<std::int8_t>(DType::kInt8, {-128, 3}, {127, 5}).max_steps(), 2);
  EXPECT_EQ(compare<std::int64_t>(DType::kInt64, {7}, {-7}).max_steps(), 14);
}

TEST(PathStatistics, JsonAndMergeLoseNothing) {
  PathStatistics a = floats({1, 0, kNaN, 4}, {2, -0.0F, -kNaN, 4}, 8);
  const PathStatistics b = floats({1, 3}, {4, 3}, 0);
  EXPECT_EQ(nlohmann::json(a).get<PathStatistics>(), a);
  PathStatistics ba = b;
  ba.merge(a);
  a.merge(b);
  EXPECT_EQ(a, ba);
  EXPECT_EQ(a.inputs, 6);
  EXPECT_EQ(a.stepped, 2);
}

}  // namespace
}  // namespace upcast::tools
