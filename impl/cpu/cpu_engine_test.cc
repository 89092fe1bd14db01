// Tests whole calls on the CPU: forms, broadcasting, refusals, long tensors. The grids compare
// values with LibTorch.
#include "impl/cpu/cpu_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "impl/cpu/testing/calls.h"
#include "impl/ops/activation_backward.h"

namespace upcast {
namespace {

using testing::call;
using testing::tensor;
using testing::values;

TEST(CallOp, BroadcastsAndPromotes) {
  const auto result = call("add.Tensor", {tensor<int>(DType::kInt32, {2, 1}, {1, 2}),
                                          tensor<float>(DType::kFloat32, {3}, {.5F, 1.F, 2.F})});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().tensor.sizes, (Dims{2, 3}));
  EXPECT_EQ(values<float>(result.value().tensor),
            (std::vector<float>{1.5F, 2.F, 3.F, 2.5F, 3.F, 4.F}));
}

TEST(CallOp, InPlaceWritesIntoSelf) {
  const Argument self = tensor<int>(DType::kInt32, {2}, {1, 2});
  ASSERT_TRUE(call("add_.Tensor", {self, tensor<int>(DType::kInt32, {1}, {10})}).ok());
  EXPECT_EQ(values<int>(self.tensor), (std::vector<int>{11, 12}));
}

/// A tensor of shape [2, 2] over three values: its two rows share the middle value.
Argument folded(std::vector<float> values) {
  Argument made = tensor<float>(DType::kFloat32, {3}, std::move(values));
  made.tensor.sizes = {2, 2};
  made.tensor.strides = {1, 1};
  return made;
}

TEST(CallOp, ElementsThatShareMemoryAreVisitedInOrder) {
  const Argument self = folded({1, 2, 3});
  ASSERT_TRUE(
      call("add_.Tensor", {self, tensor<float>(DType::kFloat32, {2, 2}, {10, 20, 30, 40})}).ok());
  EXPECT_EQ(values<float>(self.tensor), (std::vector<float>{11, 52, 52, 43}));
}

TEST(CallOp, AnOutputThatIsConvertedIsWrittenAfterTheLoop) {
  const Argument self = folded({1, 2, 3});
  ASSERT_TRUE(
      call("add_.Tensor", {self, tensor<double>(DType::kFloat64, {2, 2}, {10, 20, 30, 40})}).ok());
  EXPECT_EQ(values<float>(self.tensor), (std::vector<float>{11, 32, 32, 43}));
}

TEST(CallOp, InPlaceRefusesToGrow) {
  const auto result = call("add_.Tensor", {tensor<int>(DType::kInt32, {1}, {1}),
                                           tensor<int>(DType::kInt32, {2}, {1, 2})});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.rejection().code, RejectionCode::kShapeMismatch);
}

TEST(CallOp, ARefusalLeavesOutUntouched) {
  const Argument out = tensor<int>(DType::kInt32, {2}, {7, 7});
  const auto result = call("add.out",
                           {tensor<float>(DType::kFloat32, {2}, {1.F, 2.F}),
                            tensor<float>(DType::kFloat32, {2}, {1.F, 2.F})},
                           &out.tensor);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.rejection().code, RejectionCode::kResultCast);
  EXPECT_EQ(values<int>(out.tensor), (std::vector<int>{7, 7}));
}

TEST(CallOp, IntegersWrapAndDivideByZeroIsRefused) {
  const Argument small = tensor<std::int8_t>(DType::kInt8, {2}, {127, -128});
  const Argument one = tensor<std::int8_t>(DType::kInt8, {1}, {1});
  EXPECT_EQ(values<std::int8_t>(call("add.Tensor", {small, one}).value().tensor),
            (std::vector<std::int8_t>{-128, -127}));
  const auto refused = call("floor_divide", {small, tensor<std::int8_t>(DType::kInt8, {1}, {0})});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.rejection().code, RejectionCode::kZeroDivision);
}

TEST(CallOp, ADivisionByZeroInTheFirstTileIsNotForgotten) {
  std::vector<int> divisors(10000, 1);
  divisors[0] = 0;
  const auto refused = call("floor_divide", {tensor<std::int64_t>(DType::kInt64, {1}, {7}),
                                             tensor<int>(DType::kInt32, {10000}, divisors)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.rejection().code, RejectionCode::kZeroDivision);
}

TEST(CallOp, TilesMeetWithoutASeam) {
  std::vector<float> many(1000);
  for (int i = 0; i < 1000; ++i) many[i] = static_cast<float>(i);
  const auto result = call("add.Tensor", {tensor<float>(DType::kFloat32, {1000}, many),
                                          tensor<int>(DType::kInt32, {1}, {1})});
  const std::vector<float> sums = values<float>(result.value().tensor);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(sums[i], static_cast<float>(i + 1));
}

/// An operand with one column. Its element is repeated for all tiles of a long row; the next row
/// has another element.
TEST(CallOp, AColumnRepeatsItselfAlongLongRows) {
  constexpr std::int64_t kRows = 5, kColumns = 5000;
  std::vector<float> many(kRows * kColumns), column(kRows);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<float>(i + 1) / 4;
  for (const std::int64_t first :
       // At a row stride of 0 one element serves all rows; at 1 each row has its own.
       {std::int64_t{0}, std::int64_t{1}}) {
    Argument repeated = tensor<float>(DType::kFloat32, {kRows, 1}, column);
    if (first == 0) repeated.tensor.strides = {0, 1};
    const auto result =
        call("add.Tensor", {tensor<float>(DType::kFloat32, {kRows, kColumns}, many), repeated});
    const std::vector<float> sums = values<float>(result.value().tensor);
    for (std::int64_t i = 0; i < kRows * kColumns; ++i)
      ASSERT_EQ(sums[i], many[i] + column[i / kColumns * first]) << i;
  }
}

/// The operands have shape [300, 3, 5]. One has gaps between its rows; the others repeat a value
/// along a row, from row to row, or from plane to plane.
TEST(CallOp, ShortRowsArePackedFromAnyStrides) {
  constexpr std::int64_t kPlanes = 300, kRows = 3, kColumns = 5;
  std::vector<int> padded(kPlanes * kRows * 7);
  for (std::size_t i = 0; i < padded.size(); ++i) padded[i] = static_cast<int>(i);
  Argument apart = tensor<int>(DType::kInt32, {kPlanes, kRows, 7}, padded);
  apart.tensor.sizes = {kPlanes, kRows, kColumns};
  const std::vector<std::int64_t> columns{1, 2, 3, 4, 5}, rows{10, 20, 30};
  std::vector<std::int64_t> planes(kPlanes);
  for (std::int64_t i = 0; i < kPlanes; ++i) planes[i] = i;
  const auto sum = [&](Dims sizes, const std::vector<std::int64_t>& other, auto index) {
    const auto result = call("add.Tensor", {apart, tensor(DType::kInt64, sizes, other)});
    const auto sums = values<std::int64_t>(result.value().tensor);
    ASSERT_EQ(sums.size(), static_cast<std::size_t>(kPlanes * kRows * kColumns));
    for (std::int64_t at = 0; at < kPlanes * kRows * kColumns; ++at) {
      const std::int64_t column = at % kColumns, row = at / kColumns % kRows,
                         plane = at / (kColumns * kRows);
      ASSERT_EQ(sums[at], (plane * kRows + row) * 7 + column + other[index(plane, row, column)])
          << at;
    }
  };
  sum({kColumns}, columns, [](auto, auto, auto column) { return column; });
  sum({kRows, 1}, rows, [](auto, auto row, auto) { return row; });
  sum({kPlanes, 1, 1}, planes, [](auto plane, auto, auto) { return plane; });
}

TEST(CallOp, AnAbsentOperandOfALongTensorIsNotRead) {
  const std::vector<float> many(100000, 2.F);
  const auto result = call(
      "clamp.Tensor", {tensor<float>(DType::kFloat32, {100000}, many),
                       {.tag = Argument::Tag::kAbsent},
                       tensor<float>(DType::kFloat32, {100000}, std::vector<float>(100000, 1.F))});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(values<float>(result.value().tensor), std::vector<float>(100000, 1.F));
}

/// The byte of a stored bool may have any value. The engine reads every nonzero byte as 1.
TEST(CallOp, ABoolOfAnyByteIsTrue) {
  const auto result = call("bitwise_xor.Tensor", {tensor<std::uint8_t>(DType::kBool, {2}, {2, 2}),
                                                  tensor<std::uint8_t>(DType::kBool, {2}, {1, 0})});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(values<std::uint8_t>(result.value().tensor), (std::vector<std::uint8_t>{0, 1}));
}

Argument number(std::int64_t value) {
  return {.tag = Argument::Tag::kNumber, .number = Number(value)};
}

/// Every code of a dtype, two times.
template <class Bits>
std::vector<Bits> all_codes() {
  std::vector<Bits> codes(2U << (8 * sizeof(Bits)));
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<Bits>(i);
  return codes;
}

TEST(CallOp, CopiesKeepTheBitsOfEveryElement) {
  const auto halves = all_codes<std::uint16_t>();
  const auto bytes = all_codes<std::uint8_t>();
  const auto size = [](const auto& codes) { return static_cast<std::int64_t>(codes.size()); };
  for (const DType dtype : {DType::kFloat16, DType::kBFloat16}) {
    const auto cloned = call("clone", {tensor(dtype, {size(halves)}, halves)});
    EXPECT_EQ(values<std::uint16_t>(cloned.value().tensor), halves) << name(dtype);
  }
  for (const DType dtype : {DType::kFloat8E4M3FNUZ, DType::kFloat8E5M2}) {
    const auto cloned = call("clone", {tensor(dtype, {size(bytes)}, bytes)});
    EXPECT_EQ(values<std::uint8_t>(cloned.value().tensor), bytes) << name(dtype);
  }
  const auto pairs = call("clone", {tensor(DType::kComplex32, {size(halves) / 2}, halves)});
  EXPECT_EQ(values<std::uint16_t>(pairs.value().tensor), halves);
}

TEST(CallOp, WhereSelectsElementsAsTheyAre) {
  const auto codes = all_codes<std::uint16_t>();
  std::vector<std::uint16_t> others(codes.rbegin(), codes.rend()), expected = codes;
  std::vector<std::uint8_t> condition(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    condition[i] = i % 3 == 0 ? 0 : 2;  // 2 stands for any byte but 0, and counts as true
    if (i % 3 == 0) expected[i] = others[i];
  }
  const auto size = static_cast<std::int64_t>(codes.size());
  const auto result = call("where.self", {tensor(DType::kBool, {size}, condition),
                                          tensor(DType::kFloat16, {size}, codes),
                                          tensor(DType::kFloat16, {size}, others)});
  EXPECT_EQ(values<std::uint16_t>(result.value().tensor), expected);
}

TEST(CallOp, ThreadsDoNotRaceForASharedElement) {
  constexpr std::int64_t kCount = 1 << 20;
  std::vector<float> many(kCount);
  for (std::int64_t i = 0; i < kCount; ++i) many[i] = static_cast<float>(i);
  const Argument from = tensor<float>(DType::kFloat32, {kCount}, many);
  for (int round = 0; round < 20; ++round) {
    Argument shared = tensor<float>(DType::kFloat32, {1}, {-1.F});
    shared.tensor.sizes = {kCount};
    shared.tensor.strides = {0};
    ASSERT_TRUE(
        call("threshold.out", {from, number(-1), number(0)}, &shared.tensor, {.threads = 4}).ok());
    EXPECT_EQ(*reinterpret_cast<const float*>(shared.tensor.data()), many.back());
  }
}

/// A tensor of shape [rows, columns] in a larger buffer: its first element is the buffer's second,
/// and a row begins `stride` elements after the one before.
Argument off_the_cache_lines(DType dtype, std::int64_t rows, std::int64_t columns,
                             std::int64_t stride) {
  Argument made{.tag = Argument::Tag::kTensor, .tensor = make_tensor(dtype, {rows * stride + 1})};
  made.tensor.sizes = {rows, columns};
  made.tensor.strides = {stride, 1};
  made.tensor.offset += 1;
  return made;
}

class LargeResults : public ::testing::TestWithParam<CpuSettings> {};

// The result of 16 MiB is streamed (streamed_results.h). No row begins at a cache line, and none
// has a whole number of tiles.
TEST_P(LargeResults, AreWrittenWhole) {
  constexpr std::int64_t kRows = 5, kColumns = 840001, kGap = 3;
  std::vector<std::int32_t> left(kRows * kColumns), right(kColumns);
  std::vector<std::int16_t> short_right(kColumns);
  for (std::int64_t i = 0; i < kRows * kColumns; ++i) left[i] = static_cast<int>(i % 9973) - 5000;
  for (std::int64_t j = 0; j < kColumns; ++j)
    short_right[j] = static_cast<std::int16_t>(right[j] = static_cast<int>(j % 10007));
  const Argument a = tensor(DType::kInt32, {kRows, kColumns}, left);
  const Argument out = off_the_cache_lines(DType::kInt32, kRows, kColumns, kColumns + kGap);
  const auto expect = [&](std::string_view op, std::vector<Argument> arguments, auto value_at) {
    ASSERT_TRUE(call(op, std::move(arguments), &out.tensor, GetParam()).ok());
    const std::vector<std::int32_t> found = values<std::int32_t>(out.tensor);
    for (std::int64_t i = 0; i < kRows * kColumns; ++i) ASSERT_EQ(found[i], value_at(i)) << i;
  };
  const auto product = [&](std::int64_t i) { return left[i] * right[i % kColumns]; };
  const Argument shorts = tensor(DType::kInt16, {kColumns}, short_right);
  expect("mul.out", {a, tensor(DType::kInt32, {kColumns}, right)}, product);
  expect("mul.out", {a, shorts}, product);
  expect("mul.out", {a, tensor<std::int32_t>(DType::kInt32, {}, {11})},
         [&](std::int64_t i) { return left[i] * 11; });
  expect("clamp.Tensor_out", {a, {.tag = Argument::Tag::kAbsent}, shorts},
         [&](std::int64_t i) { return std::min(left[i], right[i % kColumns]); });
  const auto* const gap = reinterpret_cast<const std::int32_t*>(out.tensor.data()) + kColumns;
  EXPECT_EQ(std::vector(gap, gap + kGap), std::vector<std::int32_t>(kGap));
}

TEST_P(LargeResults, OfHalvesAreThoseOfSmallCalls) {
  const auto codes = all_codes<std::uint16_t>();
  const auto count = static_cast<std::int64_t>(codes.size());
  constexpr std::int64_t kRepetitions = 129;
  const Argument few = tensor(DType::kBFloat16, {count}, codes);
  Argument many = few;
  many.tensor.sizes = {kRepetitions, count};
  many.tensor.strides = {0, 1};
  const auto small = call("add.Tensor", {few, number(7), number(3)}, nullptr, GetParam());
  const auto large = call("add.Tensor", {many, number(7), number(3)}, nullptr, GetParam());
  const auto expected = values<std::uint16_t>(small.value().tensor);
  const auto found = values<std::uint16_t>(large.value().tensor);
  ASSERT_EQ(found.size(), expected.size() * kRepetitions);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], expected[i % expected.size()]) << i;
}

INSTANTIATE_TEST_SUITE_P(Capabilities, LargeResults,
                         ::testing::Values(CpuSettings{.capability = Capability::kBaseline},
                                           CpuSettings{}, CpuSettings{.threads = 3}));

/// Whether two results of 16 bits are equal, or are both NaN.
bool same_number(DType dtype, std::uint16_t left, std::uint16_t right) {
  const int infinity = dtype == DType::kFloat16 ? 0x7c00 : 0x7f80;
  return left == right || ((left & 0x7fff) > infinity && (right & 0x7fff) > infinity);
}

/// Expects that the packed kernels of each capability give the numbers that the baseline's loop
/// gives.
void expect_packed_like_baseline(DType dtype, std::string_view op,
                                 const std::vector<Argument>& arguments) {
  const auto compute = [&](Capability capability) {
    const auto result = call(op, arguments, nullptr, {.capability = capability});
    return values<std::uint16_t>(result.value().tensor);
  };
  const auto expected = compute(Capability::kBaseline);
  for (const Capability capability : {Capability::kV3, Capability::kV4}) {
    if (capability > best_capability()) continue;
    const auto& kernels = find_callable(op).op->kernels[code(dtype)];
    ASSERT_NE(kernels.packed[static_cast<int>(capability)], nullptr) << op << ' ' << name(dtype);
    const auto found = compute(capability);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_TRUE(same_number(dtype, found[i], expected[i]))
          << op << ' ' << name(dtype) << ' ' << name(capability) << ' ' << i << ": " << found[i]
          << ", not " << expected[i];
  }
}

class PackedKernels : public ::testing::Test {
  void SetUp() override {
    if (best_capability() == Capability::kBaseline) GTEST_SKIP() << "the baseline has none";
  }
};

TEST_F(PackedKernels, RoundAsTheFunctorDoes) {
  constexpr std::int64_t kRows = 64;
  const auto codes = all_codes<std::uint16_t>();
  const auto count = static_cast<std::int64_t>(codes.size());
  std::vector<std::uint16_t> partners;
  for (std::int64_t i = 0; i < kRows * count; ++i)
    partners.push_back(static_cast<std::uint16_t>(i + i / count * 1031));
  for (const DType dtype : {DType::kFloat16, DType::kBFloat16})
    for (const char* const op : {"tanh_backward", "mul.Tensor", "eq.Tensor"})
      expect_packed_like_baseline(
          dtype, op, {tensor(dtype, {kRows, count}, partners), tensor(dtype, {count}, codes)});
}

/// Every code, or one of the same sign whose rest is `limit`.
std::uint16_t within(std::uint16_t limit, std::int64_t code) {
  return static_cast<std::uint16_t>(std::min<std::int64_t>(code & 0x7fff, limit) | (code & 0x8000));
}

/// Tensors whose elements are all within the limits of the op's faster form (packed_kernels.h), or
/// at most one code beyond them.
template <class Packed>
void expect_right_near_limits(DType dtype) {
  constexpr std::int64_t kRows = 256, kColumns = 65536;
  const auto [grad_limit, y_limit] = TanhBackward::OnPacked<Packed>::limits;
  for (const auto& [grad_rest, y_rest] : {std::pair{0, 0}, std::pair{1, 0}, std::pair{0, 1}}) {
    std::vector<std::uint16_t> grads, ys;
    for (std::int64_t row = 0; row < kRows; ++row)
      for (std::int64_t column = 0; column < kColumns; ++column)
        grads.push_back(within(grad_limit + grad_rest, row * 257));
    for (std::int64_t column = 0; column < kColumns; ++column)
      ys.push_back(within(y_limit + y_rest, column));
    expect_packed_like_baseline(
        dtype, "tanh_backward",
        {tensor(dtype, {kRows, kColumns}, grads), tensor(dtype, {kColumns}, ys)});
  }
}

TEST_F(PackedKernels, AreRightNearTheLimitsOfAFasterForm) {
  expect_right_near_limits<Half>(DType::kFloat16);
  expect_right_near_limits<BFloat16>(DType::kBFloat16);
}

TEST_F(PackedKernels, ReadANumberThatHasMoreBits) {
  const auto codes = all_codes<std::uint16_t>();
  const auto count = static_cast<std::int64_t>(codes.size());
  for (const DType dtype : {DType::kFloat16, DType::kBFloat16})
    for (const float number : {0.1F, -0.7F, 1.0001F}) {
      const Argument many = tensor(dtype, {count}, codes);
      const Argument one = tensor<float>(DType::kFloat32, {}, {number});
      expect_packed_like_baseline(dtype, "tanh_backward", {one, many});
      expect_packed_like_baseline(dtype, "tanh_backward", {many, one});
    }
}

TEST(CallOp, EmptyTensorsGiveEmptyResults) {
  const auto result = call("exp", {tensor<float>(DType::kFloat32, {0, 3}, {})});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().tensor.sizes, (Dims{0, 3}));
}

TEST(CallOp, ANegativeSizeIsRefused) {
  Argument self = tensor<float>(DType::kFloat32, {1}, {1.F});
  self.tensor.sizes = {-1};
  EXPECT_FALSE(call("exp", {self}).ok());
}

TEST(CallOp, AnUndefinedOperandIsRefused) {
  const auto result = call(
      "add.Tensor", {tensor<float>(DType::kFloat32, {1}, {1.F}), {.tag = Argument::Tag::kAbsent}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.rejection().code, RejectionCode::kUndefinedOperand);
}

TEST(CallOp, ShapesThatDoNotBroadcastAreRefused) {
  const auto result = call("mul.Tensor", {tensor<float>(DType::kFloat32, {2}, {1.F, 2.F}),
                                          tensor<float>(DType::kFloat32, {3}, {1.F, 2.F, 3.F})});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.rejection().code, RejectionCode::kShapeMismatch);
}

Argument on(Device device, DType dtype, Dims sizes, Dims strides) {
  return {.tag = Argument::Tag::kTensor,
          .tensor = empty_tensor(dtype, sizes, strides, host_memory(), device)};
}

TEST(CallOp, OnlyTheCpuCopiesAPromotedOperandBeforeItsStridesCount) {
  const auto result_strides = [](Device device) {
    const auto result = call("add.Tensor", {on(device, DType::kInt32, {2, 3}, {0, 1}),
                                            on(device, DType::kFloat32, {2, 3}, {1, 2})});
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.value().tensor.device, device);
    return result.value().tensor.strides;
  };
  EXPECT_EQ(result_strides(Device::kCpu), (Dims{3, 1}));
  EXPECT_EQ(result_strides(Device::kMeta), (Dims{1, 2}));
}

TEST(CallOp, TheMetaDeviceHasNeitherMemoryNorKernels) {
  const std::int64_t large = std::int64_t{1} << 24;
  const auto result = call("sub.Tensor", {on(Device::kMeta, DType::kFloat32, {large, 1}, {1, 1}),
                                          on(Device::kMeta, DType::kFloat32, {1, large}, {1, 1})});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().tensor.sizes, (Dims{large, large}));
  const auto floor = [](Device device) {
    return call("floor", {on(device, DType::kBool, {2}, {1})}).ok();
  };
  EXPECT_TRUE(floor(Device::kMeta));
  EXPECT_FALSE(floor(Device::kCpu));
}

}  // namespace
}  // namespace upcast
