// Tests the steps of the iterator, and compares the strides of results with those of LibTorch
// 2.15.0.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "impl/iterator/allocate_outputs.h"
#include "impl/iterator/build.h"
#include "impl/iterator/check_devices.h"
#include "impl/iterator/coalesce_dimensions.h"
#include "impl/iterator/compute_shape.h"
#include "impl/iterator/fast_setup.h"
#include "impl/iterator/split_32bit.h"

namespace upcast {
namespace {

Tensor strided(Dims sizes, Dims strides, DType dtype = DType::kFloat32) {
  return empty_tensor(dtype, sizes, strides);
}
Tensor contiguous(Dims sizes, DType dtype = DType::kFloat32) {
  return strided(sizes, contiguous_strides(sizes), dtype);
}

/// An iteration over the given inputs, with one output to allocate. Inputs in float32 are not
/// promoted.
Iteration over(const std::vector<const Tensor*>& inputs) {
  Iteration iteration;
  iteration.output_count = 1;
  iteration.input_count = static_cast<int>(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    iteration.slots[1 + i].tensor = inputs[i];
    iteration.slots[1 + i].dtype = DType::kFloat32;
  }
  return iteration;
}

Dims result_strides(const std::vector<const Tensor*>& inputs) {
  Iteration iteration = over(inputs);
  EXPECT_FALSE(build_geometry(iteration)) << "these shapes broadcast";
  return output_strides(iteration);
}

TEST(OutputStrides, FollowTheFirstOperand) {
  const Tensor p = strided({4, 2, 3}, {1, 12, 4});
  const Tensor q = contiguous({4, 2, 3});
  EXPECT_EQ(result_strides({&p}), (Dims{1, 12, 4}));
  EXPECT_EQ(result_strides({&p, &q}), (Dims{1, 12, 4}));
  EXPECT_EQ(result_strides({&q, &p}), (Dims{6, 3, 1}));
}

TEST(OutputStrides, OfChannelsLast) {
  const Tensor cl = strided({2, 3, 4, 5}, {60, 1, 15, 3});
  const Tensor ct = contiguous({2, 3, 4, 5});
  const Tensor row = contiguous({5});
  EXPECT_EQ(result_strides({&cl, &ct}), (Dims{60, 1, 15, 3}));
  EXPECT_EQ(result_strides({&row, &cl}), (Dims{60, 1, 15, 3}));
  EXPECT_EQ(result_strides({&ct, &cl}), (Dims{60, 20, 5, 1}));
}

TEST(OutputStrides, OfExpandedAndSlicedOperands) {
  const Tensor row = strided({2, 3}, {0, 1});
  EXPECT_EQ(result_strides({&row, &row}), (Dims{3, 1}));
  const Tensor middle = strided({3, 2, 4}, {1, 0, 3});
  EXPECT_EQ(result_strides({&middle}), (Dims{1, 3, 6}));
  const Tensor sliced = strided({2, 3}, {6, 2});
  EXPECT_EQ(result_strides({&sliced}), (Dims{3, 1}));
}

TEST(OutputStrides, OfAPromotedOperandAreThoseOfItsCopy) {
  const Tensor holes = strided({3, 2}, {2, 12}, DType::kInt32);
  EXPECT_EQ(result_strides({&holes}), (Dims{1, 3}));
}

/// The expected strides are those of LibTorch; cases/layouts/strides.cases compares them again.
TEST(OutputStrides, StridesAlongSizesOfOneCount) {
  const Tensor row_major = strided({2, 1, 3}, {3, 999, 1});
  const Tensor row = contiguous({3});
  const Tensor number = contiguous({});
  EXPECT_EQ(result_strides({&row_major}), (Dims{3, 3, 1})) << "contiguous";
  EXPECT_EQ(result_strides({&row_major, &row}), (Dims{3, 6, 1})) << "two shapes: the general way";
  EXPECT_EQ(result_strides({&row, &row_major}), (Dims{3, 6, 1}));
  EXPECT_EQ(result_strides({&row_major, &number}), (Dims{3, 6, 1}));
  EXPECT_EQ(result_strides({&number, &row_major}), (Dims{3, 6, 1}));
  const Tensor channels_last = strided({2, 3, 1, 5}, {15, 1, 999, 3});
  EXPECT_EQ(result_strides({&channels_last}), (Dims{15, 1, 15, 3}));
  const Tensor dense = strided({4, 1, 3}, {1, 999, 4});
  EXPECT_EQ(result_strides({&dense}), (Dims{1, 999, 4})) << "as they are";
}

TEST(OutputStrides, AnOutputHasASayUnlessItIsResized) {
  const Tensor input = contiguous({2, 1, 3});
  const Tensor holes = strided({2, 1, 3}, {12, 1, 2});
  const Tensor small = strided({4}, {2});
  Iteration two_outputs;
  two_outputs.output_count = 2;
  two_outputs.input_count = 1;
  two_outputs.slots[0].tensor = &holes;
  two_outputs.slots[1].tensor = &small;
  two_outputs.slots[2] = {.tensor = &input, .dtype = DType::kFloat32};
  ASSERT_FALSE(build_geometry(two_outputs));
  EXPECT_EQ(output_strides(two_outputs), (Dims{3, 1, 1})) << "in the order of the first output";

  const Tensor row_major = strided({2, 1, 3}, {3, 999, 1});
  Iteration resized = over({&row_major});
  resized.slots[0].tensor = &small;
  ASSERT_FALSE(build_geometry(resized));
  EXPECT_EQ(output_strides(resized), (Dims{3, 3, 1}));
}

TEST(Operand, AnUndefinedTensorIsNone) {
  const Tensor undefined;
  const IteratorOperand operand{.tensor = &undefined};
  EXPECT_FALSE(operand.defined());
}

TEST(BuildPlan, CoalescesAPermutedTensor) {
  const Tensor permuted = strided({4, 2, 3}, {1, 12, 4});
  Iteration iteration = over({&permuted});
  iteration.slots[0].tensor = &permuted;
  ASSERT_FALSE(build_geometry(iteration));
  const IteratorPlan plan = build_plan(iteration);
  EXPECT_EQ(plan.sizes, (Dims{24}));
  EXPECT_EQ(plan.inputs[0].strides, (Dims{4}));
}

TEST(ComputeShape, SizesOfOneYieldToZeroToo) {
  Dims shape{0, 3};
  EXPECT_TRUE(broadcast_into(shape, {1, 3}));
  EXPECT_EQ(shape, (Dims{0, 3}));
  EXPECT_FALSE(broadcast_into(shape, {2, 3}));
  Dims scalar;
  EXPECT_TRUE(broadcast_into(scalar, {2, 1}));
  EXPECT_EQ(scalar, (Dims{2, 1}));
}

TEST(FastSetup, ContiguousWinsTies) {
  const Tensor both = strided({2, 3, 1, 1}, {3, 1, 1, 1});
  Iteration iteration = over({&both});
  ASSERT_FALSE(build_geometry(iteration));
  EXPECT_EQ(fast_setup(iteration), FastSetup::kContiguous);
}

TEST(Coalesce, MergesWhatLiesAfterOneAnother) {
  IteratorPlan plan;
  plan.sizes = {2, 3, 4};
  plan.output_count = plan.input_count = 1;
  plan.outputs[0] = {.dtype = DType::kFloat32, .strides = {48, 16, 4}};
  plan.inputs[0] = {.dtype = DType::kFloat32, .strides = {0, 16, 4}};
  coalesce_dimensions(plan);
  EXPECT_EQ(plan.sizes, (Dims{2, 12}));
  EXPECT_EQ(plan.inputs[0].strides, (Dims{0, 4}));
}

TEST(Coalesce, MergesTwoDimensions) {
  IteratorPlan plan;
  plan.sizes = {3, 4};
  plan.output_count = 1;
  plan.outputs[0] = {.dtype = DType::kFloat32, .strides = {16, 4}};
  coalesce_dimensions(plan);
  EXPECT_EQ(plan.sizes, (Dims{12}));
}

TEST(Coalesce, DimensionsOfOneVanish) {
  IteratorPlan plan;
  plan.sizes = {3, 1, 4, 1};
  plan.output_count = 1;
  plan.outputs[0] = {.dtype = DType::kFloat32, .strides = {16, 999, 4, 777}};
  coalesce_dimensions(plan);
  EXPECT_EQ(plan.sizes, (Dims{12}));
  EXPECT_EQ(plan.outputs[0].strides, (Dims{4}));
}

TEST(Split32Bit, EveryPieceFitsAndNothingIsLost) {
  IteratorPlan plan;
  plan.sizes = {3, std::int64_t{1} << 31};
  plan.output_count = plan.input_count = 1;
  plan.outputs[0] = {.dtype = DType::kUInt8, .strides = {std::int64_t{1} << 31, 1}};
  plan.inputs[0] = {.dtype = DType::kFloat64, .strides = {0, 8}};
  EXPECT_FALSE(fits_32bit(plan));
  const std::vector<IteratorPlan> pieces = split_32bit(plan);
  std::int64_t elements = 0;
  for (const IteratorPlan& piece : pieces) {
    EXPECT_TRUE(fits_32bit(piece));
    elements += numel(piece.sizes);
  }
  EXPECT_EQ(elements, numel(plan.sizes));
  EXPECT_GT(pieces.size(), 2U);
}

/// The byte offsets from `base` of each output element and its input element, in sorted order.
std::vector<std::pair<std::int64_t, std::int64_t>> places(const std::vector<IteratorPlan>& plans,
                                                          const std::byte* base) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (const IteratorPlan& plan : plans)
    for (std::int64_t i = 0; i < numel(plan.sizes); ++i) {
      std::int64_t rest = i, out = plan.outputs[0].data - base, in = plan.inputs[0].data - base;
      for (std::size_t d = plan.sizes.size(); d-- > 0; rest /= plan.sizes[d]) {
        out += rest % plan.sizes[d] * plan.outputs[0].strides[d];
        in += rest % plan.sizes[d] * plan.inputs[0].strides[d];
      }
      found.emplace_back(out, in);
    }
  std::sort(found.begin(), found.end());
  return found;
}

/// A plan with one output and one input of float32. The memory of both begins at `data`.
IteratorPlan plan_of(Dims sizes, Dims out, Dims in, std::byte* data = nullptr) {
  IteratorPlan plan;
  plan.sizes = std::move(sizes);
  plan.output_count = plan.input_count = 1;
  plan.outputs[0] = {.dtype = DType::kFloat32, .data = data, .strides = std::move(out)};
  plan.inputs[0] = {.dtype = DType::kFloat32, .data = data, .strides = std::move(in)};
  return plan;
}

TEST(Split32Bit, EachElementStaysWhereItWas) {
  std::vector<std::byte> memory(1000);
  const IteratorPlan plan = plan_of({6, 7, 5}, {140, 20, 4}, {0, 20, 140}, memory.data());
  for (const std::int64_t limit : {16, 64, 100, 500}) {
    const std::vector<IteratorPlan> pieces = split_32bit(plan, limit);
    EXPECT_GT(pieces.size(), 1U);
    EXPECT_EQ(places(pieces, memory.data()), places({plan}, memory.data())) << limit;
  }
}

TEST(Split32Bit, HalvesTheLargestExtentAndDropsWhatIsLeftOfSizeOne) {
  std::vector<std::byte> memory(4000);
  const auto first = [&](const IteratorPlan& plan) { return split_32bit(plan, 100)[0].sizes; };
  EXPECT_EQ(first(plan_of({4, 8}, {4, 16}, {0, 0}, memory.data())), (Dims{4, 4}));
  EXPECT_EQ(first(plan_of({2, 20}, {1000, 4}, {0, 4}, memory.data())), (Dims{20}));
}

TEST(Split32Bit, FitsUpToTheLimitInElementsBytesAndDimensions) {
  EXPECT_TRUE(fits_32bit(plan_of({25}, {4}, {0}), 97));
  EXPECT_FALSE(fits_32bit(plan_of({25}, {4}, {0}), 96)) << "bytes of the output";
  EXPECT_FALSE(fits_32bit(plan_of({25}, {0}, {4}), 96)) << "bytes of the input";
  EXPECT_TRUE(fits_32bit(plan_of({25}, {0}, {0}), 25));
  EXPECT_FALSE(fits_32bit(plan_of({25}, {0}, {0}), 24)) << "elements";
  EXPECT_TRUE(fits_32bit(plan_of(Dims(25, 2), Dims(25, 0), Dims(25, 0))));
  EXPECT_FALSE(fits_32bit(plan_of(Dims(26, 2), Dims(26, 0), Dims(26, 0)))) << "dimensions";
}

TEST(Split32Bit, ASmallPlanStaysWhole) {
  IteratorPlan plan;
  plan.sizes = {12};
  plan.output_count = 1;
  plan.outputs[0] = {.dtype = DType::kFloat32, .strides = {4}};
  EXPECT_EQ(split_32bit(plan).size(), 1U);
}

TEST(BuildGeometry, AnOutputOfAnotherShapeIsResizedUnlessItIsRead) {
  const Tensor self = contiguous({1});
  const Tensor other = contiguous({2});
  Iteration resized = over({&self, &other});
  resized.slots[0].tensor = &other;
  const Tensor small = contiguous({3});
  resized.slots[0].tensor = &small;
  EXPECT_FALSE(build_geometry(resized));
  EXPECT_TRUE(resized.slots[0].will_resize);
  Iteration in_place = over({&self, &other});
  in_place.slots[0].tensor = &self;
  const auto refused = build_geometry(in_place);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, RejectionCode::kShapeMismatch);
}

/// A tensor on the meta device, which has sizes and strides but no elements.
Tensor on_meta(Dims sizes) {
  return empty_tensor(DType::kFloat32, sizes, contiguous_strides(sizes), host_memory(),
                      Device::kMeta);
}

bool refuses_devices(Iteration iteration, CpuScalars allowed) {
  iteration.config.cpu_scalars = allowed;
  const auto refused = check_devices(iteration);
  return refused && refused->code == RejectionCode::kDeviceMismatch;
}

TEST(CheckDevices, TheFirstOneThatIsNotTheCpuIsThatOfTheWhole) {
  const Tensor cpu = contiguous({});
  const Tensor meta = on_meta({3});
  Iteration both = over({&cpu, &meta});
  both.config.cpu_scalars = CpuScalars::kOne;
  EXPECT_FALSE(check_devices(both));
  EXPECT_EQ(both.device, Device::kMeta);
  Iteration alone = over({&cpu, &cpu});
  EXPECT_FALSE(check_devices(alone));
  EXPECT_EQ(alone.device, Device::kCpu);
}

TEST(CheckDevices, OnlyZeroDimInputsMayStayOnTheCpuAndOnlyWhereTheOpLetsThem) {
  const Tensor number = contiguous({});
  const Tensor line = contiguous({1});
  const Tensor meta = on_meta({3});
  EXPECT_TRUE(refuses_devices(over({&meta, &number}), CpuScalars::kNone));
  EXPECT_FALSE(refuses_devices(over({&meta, &number}), CpuScalars::kOne));
  EXPECT_TRUE(refuses_devices(over({&number, &meta, &number}), CpuScalars::kOne));
  EXPECT_FALSE(refuses_devices(over({&number, &meta, &number}), CpuScalars::kAny));
  EXPECT_TRUE(refuses_devices(over({&meta, &line}), CpuScalars::kAny));
  Iteration with_output = over({&meta, &meta});
  with_output.slots[0].tensor = &number;
  with_output.slots[0].is_output = true;
  EXPECT_TRUE(refuses_devices(with_output, CpuScalars::kAny));
}

TEST(CheckDevices, ACopyCrossesThemButTheMetaDeviceHasNothingToCopy) {
  const Tensor cpu = contiguous({3});
  const Tensor meta = on_meta({3});
  Iteration copy = over({&cpu});
  copy.slots[0].is_output = true;
  copy.slots[0].tensor = &meta;
  EXPECT_FALSE(refuses_devices(copy, CpuScalars::kAnyDevice));
  Iteration back = over({&meta});
  back.slots[0].is_output = true;
  back.slots[0].tensor = &cpu;
  EXPECT_TRUE(refuses_devices(back, CpuScalars::kAnyDevice));
}

}  // namespace
}  // namespace upcast
