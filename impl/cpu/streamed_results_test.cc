#include "impl/cpu/streamed_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace upcast::internal {
namespace {

struct alignas(64) Line {
  std::array<std::byte, 64> bytes{};
};

/// A plan of one float32 input and one float32 result, of kLeastStreamed bytes in one row. Deciding
/// whether it is streamed reads no memory.
IteratorPlan large_plan(Line& line) {
  IteratorPlan plan;
  plan.sizes = {kLeastStreamed / 4};
  plan.input_count = plan.output_count = 1;
  plan.inputs[0] = {.dtype = DType::kFloat32, .data = line.bytes.data() + 4, .strides = {4}};
  plan.outputs[0] = {.dtype = DType::kFloat32, .data = line.bytes.data(), .strides = {4}};
  return plan;
}

#if defined(__x86_64__)
TEST(StreamedResults, AreLargeAndDenseAndNoInput) {
  Line line;
  const IteratorPlan plan = large_plan(line);
  EXPECT_TRUE(is_streamed(plan, Capability::kV3));
  EXPECT_TRUE(is_streamed(plan, Capability::kV4));
  EXPECT_FALSE(is_streamed(plan, Capability::kBaseline));
  const auto streamed_after = [&plan](auto change) {
    IteratorPlan changed = plan;
    change(changed);
    return is_streamed(changed, Capability::kV3);
  };
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) { --p.sizes[0]; }));
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) { p.in_order = true; }));
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) { p.output_count = 2; }));
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) { p.outputs[0].strides = {8}; }));
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) { p.outputs[0].data += 1; }));
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) { p.inputs[0].data = p.outputs[0].data; }));
  EXPECT_FALSE(streamed_after([](IteratorPlan& p) {  // short rows
    p.sizes = {kLeastStreamed / 4, 3};
    p.outputs[0].strides = {12, 4};
  }));
}
#endif

TEST(StreamedResults, AreCopiedToAnyPlaceInACacheLine) {
  if (best_capability() == Capability::kBaseline) GTEST_SKIP() << "streams need AVX";
  std::vector<Line> from(4), to(6);
  const auto bytes = [](std::vector<Line>& lines) { return lines.data()->bytes.data(); };
  for (int i = 0; i < 256; ++i) bytes(from)[i] = static_cast<std::byte>(i + 1);
  for (const int start : {0, 4, 60, 64})
    for (const int size : {0, 4, 64, 100, 256}) {
      std::vector<std::byte> expected(6 * 64);
      std::copy_n(bytes(from), size, expected.begin() + start);
      std::fill(to.begin(), to.end(), Line());
      stream(bytes(to) + start, bytes(from), size);
      end_streams();
      EXPECT_EQ(std::vector(bytes(to), bytes(to) + expected.size()), expected) << start << size;
    }
  EXPECT_EQ(elements_to_cache_line(bytes(to), 4), 0);
  EXPECT_EQ(elements_to_cache_line(bytes(to) + 4, 4), 15);
}

}  // namespace
}  // namespace upcast::internal
