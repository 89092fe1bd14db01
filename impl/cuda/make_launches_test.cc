// Tests which kernel a plan gets, over which elements. The tests of the emulated engine check what
// the kernels compute.
#include "impl/cuda/make_launches.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

alignas(16) std::array<std::byte, 4096> memory;  // only addresses in it are used: no launch starts

PlanOperand operand(DType dtype, Dims strides, std::size_t at = 0) {
  return {
      .dtype = dtype, .data = memory.data() + at, .on_host = false, .strides = std::move(strides)};
}

/// A plan of the op neg, with one input and one output.
IteratorPlan plan_of(Dims sizes, PlanOperand output, PlanOperand input) {
  IteratorPlan plan{.sizes = std::move(sizes), .output_count = 1, .input_count = 1};
  plan.outputs[0] = std::move(output);
  plan.inputs[0] = std::move(input);
  return plan;
}

std::vector<Launch> launches(const IteratorPlan& plan, DType common = DType::kFloat32,
                             DeviceModel model = {}) {
  const FoundOp found = find_callable("neg");
  const std::vector<Argument> arguments(1);
  const Call call{.schema = &found.op->schemas[found.overload], .arguments = arguments};
  return make_launches(*found.op, call, common, plan, model, nullptr);
}

bool is_contiguous(const Launch& launch) {
  return std::holds_alternative<ContiguousArgs>(launch.args);
}

TEST(MakeLaunches, DenseOperandsOfOneDTypeAreReadInVectorsAfterAHead) {
  for (const std::uint32_t head : {0U, 1U, 3U}) {
    const std::size_t at = (4 - head) % 4 * 4;
    const auto made = launches(plan_of({100}, operand(DType::kFloat32, {4}, at),
                                       operand(DType::kFloat32, {4}, at + 1600)));
    ASSERT_EQ(made.size(), 1U);
    ASSERT_TRUE(is_contiguous(made[0]));
    const VectorElements elements = std::get<ContiguousArgs>(made[0].args).elements;
    EXPECT_EQ(elements.head, head);
    EXPECT_EQ(elements.width, 4U);
    EXPECT_EQ(elements.vectors, (100 - head) / 4);
  }
}

TEST(MakeLaunches, FewerElementsThanTheHeadAreAllSingle) {
  const auto made =
      launches(plan_of({2}, operand(DType::kFloat32, {4}, 4), operand(DType::kFloat32, {4}, 1604)));
  const VectorElements elements = std::get<ContiguousArgs>(made[0].args).elements;
  EXPECT_EQ(elements.head, 2U);
  EXPECT_EQ(elements.vectors, 0U);
}

TEST(MakeLaunches, OnlyOneDimensionIsDense) {
  const auto made =
      launches(plan_of({2, 3}, operand(DType::kFloat32, {4, 8}), operand(DType::kFloat32, {4, 8})));
  ASSERT_FALSE(is_contiguous(made[0]));
  EXPECT_EQ(std::get<GeneralArgs>(made[0].args).groups.vectors, 0U);
}

TEST(MakeLaunches, GapsOtherDTypesAndOtherAlignmentsTakeTheGeneralKernel) {
  const PlanOperand dense = operand(DType::kFloat32, {4});
  EXPECT_TRUE(is_contiguous(launches(plan_of({100}, dense, dense))[0])) << "the control";
  for (const PlanOperand& other : {operand(DType::kFloat32, {8}), operand(DType::kInt32, {4}),
                                   operand(DType::kFloat32, {4}, 4)}) {
    EXPECT_FALSE(is_contiguous(launches(plan_of({100}, dense, other))[0]));
    EXPECT_FALSE(is_contiguous(launches(plan_of({100}, other, dense))[0]));
  }
}

TEST(MakeLaunches, TheStorageOfReducedDTypesIsTheirOwn) {
  const auto storage = [](DType dtype) {
    const PlanOperand dense = operand(dtype, {2});
    const Launch launch = launches(plan_of({100}, dense, dense), dtype)[0];
    EXPECT_EQ(std::get<ContiguousArgs>(launch.args).elements.width, 8U);
    return launch.storage;
  };
  EXPECT_EQ(storage(DType::kFloat16), StorageKind::kFloat16);
  EXPECT_EQ(storage(DType::kBFloat16), StorageKind::kBFloat16);
}

TEST(MakeLaunches, ARepeatedInputIsReadOnce) {
  const auto made =
      launches(plan_of({100}, operand(DType::kFloat32, {4}), operand(DType::kFloat32, {0}, 1604)));
  ASSERT_TRUE(is_contiguous(made[0]));
  EXPECT_EQ(std::get<ContiguousArgs>(made[0].args).access[0], Access::kRepeated);
}

TEST(MakeLaunches, TheFastestDimensionComesFirst) {
  const auto made = launches(
      plan_of({5, 3}, operand(DType::kFloat32, {12, 4}), operand(DType::kFloat32, {100, 8})));
  const OffsetCalculator& offsets = std::get<GeneralArgs>(made[0].args).offsets;
  EXPECT_EQ(offsets.strides[0][0], 4U);
  EXPECT_EQ(offsets.strides[1][1], 100U);
}

TEST(MakeLaunches, APlanBeyondTheModelIsSplitAndThreadsFillBlocks) {
  const IteratorPlan plan =
      plan_of({100}, operand(DType::kFloat32, {4}), operand(DType::kFloat32, {8}));
  EXPECT_EQ(launches(plan).size(), 1U);
  EXPECT_GT(launches(plan, DType::kFloat32, {.max_offset = 256}).size(), 1U);
  const Launch narrow = launches(plan, DType::kFloat32, {.threads = 5})[0];
  EXPECT_EQ(narrow.threads, 5U);
  EXPECT_EQ(narrow.blocks, 7U) << "32 groups of elements";
}

TEST(MakeLaunches, AnOutputThatIsWrittenRepeatedlyHasOneThread) {
  const Launch made =
      launches(plan_of({100}, operand(DType::kFloat32, {0}), operand(DType::kFloat32, {4})))[0];
  EXPECT_EQ(made.blocks * made.threads, 1U);
  EXPECT_EQ(std::get<GeneralArgs>(made.args).groups.singles_per_group, 1U);
}

}  // namespace
}  // namespace upcast
