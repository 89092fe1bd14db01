// Tests of the functions that say which element a thread takes and where it lies: each element is
// taken exactly once, whatever the launch is. ci/index_coverage.sh demands that every line and
// branch of them runs here.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "impl/cuda/element_groups.h"
#include "impl/cuda/fast_division.h"
#include "impl/cuda/offset_calculator.h"

namespace upcast {
namespace {

TEST(FastDivision, IsDivision) {
  std::mt19937_64 random(1);
  const auto below_2_31 = [&] { return static_cast<std::uint32_t>(random() >> 33); };
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t divisor = std::max(1U, below_2_31() >> (random() % 31));
    const std::uint32_t n = below_2_31() >> (random() % 31);
    const FastDivision::Result result = FastDivision(divisor).divide(n);
    ASSERT_EQ(result.quotient, n / divisor) << n << " / " << divisor;
    ASSERT_EQ(result.remainder, n % divisor) << n << " / " << divisor;
  }
}

TEST(FastDivision, AtItsEdges) {
  constexpr std::uint32_t kMost = 2147483647;
  for (const std::uint32_t divisor : {1U, 2U, 3U, 7U, 1U << 30, (1U << 30) + 1, kMost - 1, kMost})
    for (const std::uint32_t n : {0U, 1U, divisor - 1, divisor, kMost - 1, kMost}) {
      EXPECT_EQ(FastDivision(divisor).divide(n).quotient, n / divisor) << n << " / " << divisor;
      EXPECT_EQ(FastDivision(divisor).divide(n).remainder, n % divisor) << n << " / " << divisor;
    }
}

TEST(OffsetCalculator, WalksAsNestedLoopsDo) {
  OffsetCalculator offsets;
  offsets.dims = 3;
  const std::array<std::uint32_t, 3> sizes{3, 4, 5};  // sizes[0] belongs to the fastest dimension
  for (int d = 0; d < 3; ++d) offsets.sizes[d] = FastDivision(sizes[d]);
  offsets.strides[0] = {4, 0, 16};
  offsets.strides[1] = {12, 8, 0};
  offsets.strides[2] = {48, 32, 1000};
  std::uint32_t element = 0;
  for (std::uint32_t z = 0; z < 5; ++z)
    for (std::uint32_t y = 0; y < 4; ++y)
      for (std::uint32_t x = 0; x < 3; ++x, ++element) {
        const OffsetCalculator::Offsets found = offsets.offsets(element, 3);
        EXPECT_EQ(found[0], 4 * x + 12 * y + 48 * z);
        EXPECT_EQ(found[1], 8 * y + 32 * z);
        EXPECT_EQ(found[2], 16 * x + 1000 * z);
      }
}

/// How many times a launch takes each element.
std::vector<int> visits(const ElementGroups& groups, std::uint32_t blocks, std::uint32_t threads) {
  std::vector<int> taken(groups.elements, 0);
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const LaunchIndex at{block, thread, blocks, threads};
      for (std::uint32_t g = first_group(at); g < groups.count(); g += at.all_threads()) {
        const ElementGroup group = groups.group(g);
        for (std::uint32_t i = 0; i < group.count; ++i) ++taken.at(group.elements[i]);
        for (std::uint32_t i = group.count; i < kGroup && group.count > 0; ++i)
          EXPECT_EQ(group.elements[i], group.elements[0]);
        for (std::uint32_t i = 0; i < kGroup && group.vector; ++i)
          EXPECT_EQ(group.elements[i], group.elements[0] + i);
      }
    }
  return taken;
}

TEST(ElementGroups, TakeEachElementOnce) {
  for (const std::uint32_t elements : {0U, 1U, 3U, 4U, 5U, 31U, 127U, 128U, 129U, 1000U})
    for (const std::uint32_t head : {0U, 1U, 3U})
      for (const bool has_vectors : {false, true})
        for (const auto& [blocks, threads] : {std::pair{1U, 1U}, {3U, 5U}, {2U, 64U}}) {
          if (head > elements) continue;
          ElementGroups groups{.elements = elements, .head = head};
          if (has_vectors) groups.vectors = (elements - head) / kGroup;
          EXPECT_EQ(visits(groups, blocks, threads), std::vector<int>(elements, 1))
              << elements << " elements, head " << head;
        }
}

TEST(ElementGroups, OneThreadVisitsThemInOrder) {
  const ElementGroups groups{.elements = 100, .singles_per_group = 1};
  ASSERT_EQ(groups.count(), 100U);
  for (std::uint32_t g = 0; g < 100; ++g) {
    EXPECT_EQ(groups.group(g).count, 1U);
    EXPECT_EQ(groups.group(g).elements[0], g);
  }
}

TEST(ElementGroups, NeighbouringThreadsTakeNeighbours) {
  const ElementGroups groups{.elements = 1000};
  for (std::uint32_t g = 1; g < kLanes; ++g)
    for (std::uint32_t i = 0; i < kGroup; ++i)
      EXPECT_EQ(groups.group(g).elements[i], groups.group(g - 1).elements[i] + 1);
}

TEST(VectorElements, TakeEachElementOnce) {
  for (const std::uint32_t elements : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 1001U})
    for (const std::uint32_t width : {1U, 2U, 4U, 16U})
      for (std::uint32_t head = 0; head < width && head <= elements; ++head) {
        const VectorElements vectors{.elements = elements,
                                     .head = head,
                                     .vectors = (elements - head) / width,
                                     .width = width};
        std::vector<int> taken(elements, 0);
        for (std::uint32_t v = 0; v < vectors.vectors; ++v)
          for (std::uint32_t i = 0; i < width; ++i) ++taken.at(vectors.first_element(v) + i);
        for (std::uint32_t s = 0; s < vectors.singles(); ++s) ++taken.at(vectors.single_element(s));
        EXPECT_EQ(taken, std::vector<int>(elements, 1)) << elements << " by " << width;
      }
}

}  // namespace
}  // namespace upcast
