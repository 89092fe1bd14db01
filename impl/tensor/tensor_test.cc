#include "impl/tensor/tensor.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

TEST(ContiguousStrides, CountASizeOfZeroAsOne) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 0, 4}), (Dims{4, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), Dims{});
}

TEST(SpanOf, ReachesTheLastElement) {
  EXPECT_EQ(span_of({2, 3}, {3, 1}), 6);
  EXPECT_EQ(span_of({2, 3}, {6, 2}), 11);
  EXPECT_EQ(span_of({2, 3}, {0, 1}), 3);
  EXPECT_EQ(span_of({2, 0}, {3, 1}), 0);
  EXPECT_EQ(span_of({}, {}), 1);
}

TEST(Tensor, ANumberIsWrappedUnlessItHasDimensions) {
  Tensor tensor = make_tensor(DType::kFloat64, {});
  EXPECT_EQ(tensor.kind(), Kind::kZeroDim);
  tensor.wrapped_number = true;
  EXPECT_EQ(tensor.kind(), Kind::kWrapped);
  tensor.sizes = {1};
  EXPECT_EQ(tensor.kind(), Kind::kDim);
}

TEST(CopyTo, TheMemoryThatATensorIsInSharesItsStorage) {
  const Tensor tensor = make_tensor(DType::kFloat64, {3});
  EXPECT_EQ(copy_to(tensor, host_memory()).storage, tensor.storage);
}

TEST(LogicalBytes, FollowStridesAndOffset) {
  Tensor tensor = make_tensor(DType::kUInt8, {8});
  for (int i = 0; i < 8; ++i) tensor.storage->data()[i] = static_cast<std::byte>(i);
  tensor.sizes = {2, 3};
  tensor.strides = {1, 2};
  tensor.offset = 1;
  const std::vector<std::byte> expected{std::byte{1}, std::byte{3}, std::byte{5},
                                        std::byte{2}, std::byte{4}, std::byte{6}};
  EXPECT_EQ(logical_bytes(tensor), expected);
}

TEST(LogicalBytes, UndoScatter) {
  Tensor tensor = make_tensor(DType::kUInt8, {6});
  tensor.sizes = {3, 2};
  tensor.strides = {1, 3};
  const std::vector<std::byte> bytes{std::byte{9}, std::byte{8}, std::byte{7},
                                     std::byte{6}, std::byte{5}, std::byte{4}};
  scatter(bytes, tensor);
  EXPECT_EQ(logical_bytes(tensor), bytes);
  EXPECT_EQ(tensor.storage->data()[1], std::byte{7}) << "row 1, column 0";
}

}  // namespace
}  // namespace upcast
