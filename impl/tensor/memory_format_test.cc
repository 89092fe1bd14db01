// Tests predicates on strides, preserved layouts, and overlap. The expected answers are those of
// LibTorch 2.15.0, probed.
#include "impl/tensor/memory_format.h"

#include <gtest/gtest.h>

#include "impl/tensor/dimension_order.h"
#include "impl/tensor/overlap.h"

namespace upcast {
namespace {

TEST(MemoryFormat, SizesOfOneHaveAnyStride) {
  EXPECT_TRUE(is_contiguous({2, 1, 3}, {3, 77, 1}));
  EXPECT_FALSE(is_contiguous({2, 2, 3}, {3, 77, 1}));
  EXPECT_TRUE(is_channels_last({2, 1, 3, 4}, {12, 5, 4, 1}));
  EXPECT_FALSE(is_channels_last({2, 3, 4}, {12, 1, 3}));
}

TEST(MemoryFormat, AnEmptyTensorIsContiguous) {
  EXPECT_TRUE(is_contiguous({2, 0, 3}, {7, 7, 7}));
  EXPECT_TRUE(is_non_overlapping_and_dense({0}, {5}));
}

TEST(MemoryFormat, DenseInAnyOrder) {
  EXPECT_TRUE(is_non_overlapping_and_dense({4, 2, 3}, {1, 12, 4}));
  EXPECT_FALSE(is_non_overlapping_and_dense({4, 2, 3}, {1, 24, 4})) << "a hole";
  EXPECT_FALSE(is_non_overlapping_and_dense({3, 2}, {0, 1})) << "expanded";
}

TEST(MemoryFormat, ACopyKeepsDenseStridesAndClosesHoles) {
  EXPECT_EQ(preserved_strides({4, 2, 3}, {1, 12, 4}), (Dims{1, 12, 4}));
  EXPECT_EQ(preserved_strides({2, 3}, {6, 2}), (Dims{3, 1}));
  EXPECT_EQ(preserved_strides({3, 2}, {2, 6}), (Dims{1, 3})) << "a sliced transpose";
  EXPECT_EQ(preserved_strides({3, 4}, {1, 0}), (Dims{4, 1})) << "expanded";
}

TEST(MemoryFormat, ACopyKeepsStridesThatMeanNothing) {
  EXPECT_EQ(preserved_strides({4, 1, 3}, {1, 999, 4}), (Dims{1, 999, 4})) << "dense";
  EXPECT_EQ(preserved_strides({4, 1, 3}, {2, 999, 8}), (Dims{1, 12, 4})) << "not dense";
}

TEST(DimensionOrder, TheSmallerSizeIsFasterAmongEqualStridesAndOtherwiseUnknown) {
  const auto order = [](Dims sizes, const Dims& strides) {
    const Dims* const operand = &strides;
    return dimension_order(sizes, {&operand, 1});
  };
  EXPECT_EQ(order({3, 3}, {1, 1}), (std::vector<int>{1, 0}));
  EXPECT_EQ(order({2, 3}, {1, 1}), (std::vector<int>{0, 1}));
  EXPECT_EQ(order({3, 2}, {1, 1}), (std::vector<int>{1, 0}));
}

TEST(DimensionOrder, RowMajorStridesCountASizeOfZeroAsOne) {
  EXPECT_EQ(strides_in_order({2, 0, 4}, std::vector<int>{2, 1, 0}), (Dims{4, 4, 1}));
  EXPECT_EQ(strides_in_order({2, 3}, std::vector<int>{0, 1}), (Dims{1, 2}));
}

TEST(DimensionOrder, TheFirstOperandWithAnOpinionDecides) {
  const Dims first{1, 3};
  const Dims second{3, 1};
  const Dims* const both[]{&first, &second};
  EXPECT_EQ(dimension_order({3, 3}, both), (std::vector<int>{0, 1}));
  const Dims none{0, 0};
  const Dims* const later[]{&none, &second};
  EXPECT_EQ(dimension_order({3, 3}, later), (std::vector<int>{1, 0}));
  const Dims empty;
  const Dims* const after_empty[]{&empty, &first};
  EXPECT_EQ(dimension_order({3, 3}, after_empty), (std::vector<int>{0, 1}));
}

Tensor view(const Tensor& base, Dims sizes, Dims strides, std::int64_t offset) {
  Tensor tensor = base;
  tensor.sizes = std::move(sizes);
  tensor.strides = std::move(strides);
  tensor.offset = offset;
  return tensor;
}

TEST(Overlap, OfDenseTensorsIsSeen) {
  const Tensor base = make_tensor(DType::kFloat32, {8});
  const Tensor head = view(base, {4}, {1}, 0);
  EXPECT_EQ(overlap_of(head, view(base, {4}, {1}, 1)), Overlap::kPartial);
  EXPECT_EQ(overlap_of(head, view(base, {4}, {1}, 4)), Overlap::kNone);
  EXPECT_EQ(overlap_of(head, view(base, {4}, {1}, 0)), Overlap::kFull);
  EXPECT_EQ(overlap_of(view(base, {2, 2}, {2, 1}, 0), view(base, {2, 2}, {1, 2}, 0)),
            Overlap::kPartial);
  EXPECT_EQ(overlap_of(head, view(base, {0}, {1}, 1)), Overlap::kNone);
  EXPECT_EQ(overlap_of(head, make_tensor(DType::kFloat32, {4})), Overlap::kNone);
}

TEST(Overlap, CountsBytesOfEachDType) {
  const Tensor base = make_tensor(DType::kFloat32, {8});
  Tensor wide = view(base, {1}, {1}, 2);
  wide.dtype = DType::kInt64;  // bytes 16 to 23 of base
  EXPECT_EQ(overlap_of(view(base, {4}, {1}, 0), wide), Overlap::kNone);
  EXPECT_EQ(overlap_of(view(base, {5}, {1}, 0), wide), Overlap::kPartial);
  EXPECT_EQ(overlap_of(wide, view(base, {2}, {1}, 6)), Overlap::kNone);
}

TEST(Overlap, OneTensorHasOneStorageDTypeOffsetAndShape) {
  const Tensor base = make_tensor(DType::kFloat32, {8});
  const Tensor one = view(base, {2, 2}, {2, 1}, 0);
  Tensor other = one;
  EXPECT_TRUE(is_same_tensor(one, other));
  other.dtype = DType::kInt32;
  EXPECT_FALSE(is_same_tensor(one, other));
  EXPECT_FALSE(is_same_tensor(one, view(base, {2, 2}, {2, 1}, 1)));
  EXPECT_FALSE(is_same_tensor(one, view(base, {2, 1}, {2, 1}, 0)));
  EXPECT_FALSE(is_same_tensor(one, view(base, {2, 2}, {1, 2}, 0)));
  EXPECT_FALSE(is_same_tensor(one, make_tensor(DType::kFloat32, {2, 2})));
}

TEST(Overlap, OfStridedTensorsIsTooHard) {
  const Tensor base = make_tensor(DType::kFloat32, {8});
  const Tensor strided = view(base, {4}, {2}, 0);
  const Tensor dense = view(base, {4}, {1}, 0);
  EXPECT_EQ(overlap_of(strided, view(base, {4}, {2}, 1)), Overlap::kTooHard);
  EXPECT_EQ(overlap_of(strided, dense), Overlap::kTooHard);
  EXPECT_EQ(overlap_of(dense, strided), Overlap::kTooHard);
}

TEST(Overlap, WithinATensorOnlyAStrideOfZeroIsSeen) {
  const Tensor base = make_tensor(DType::kFloat32, {8});
  EXPECT_TRUE(has_internal_overlap(view(base, {2, 3}, {0, 1}, 0)));
  EXPECT_FALSE(has_internal_overlap(view(base, {3, 2}, {1, 1}, 0))) << "as LibTorch";
  EXPECT_FALSE(has_internal_overlap(view(base, {1, 3}, {0, 1}, 0)));
  EXPECT_FALSE(has_internal_overlap(view(base, {1, 3}, {0, 2}, 0)));
}

TEST(Overlap, WithinATensorMayBeWhereAStrideDoesNotStepOverTheRest) {
  const Tensor base = make_tensor(DType::kFloat32, {16});
  EXPECT_TRUE(may_overlap_itself(view(base, {3, 2}, {1, 1}, 0)));
  EXPECT_TRUE(may_overlap_itself(view(base, {3, 2}, {0, 1}, 0)));
  EXPECT_TRUE(may_overlap_itself(view(base, {2, 3}, {3, 2}, 0))) << "interleaved: none in fact";
  EXPECT_FALSE(may_overlap_itself(view(base, {2, 3}, {5, 2}, 0)));
  EXPECT_FALSE(may_overlap_itself(view(base, {3, 2}, {1, 3}, 0)));
  EXPECT_FALSE(may_overlap_itself(view(base, {1, 3}, {1, 1}, 0)));
}

TEST(Overlap, ElementsMayBeSharedByViewsThatMeetAndAreNotOne) {
  const Tensor base = make_tensor(DType::kFloat32, {16});
  const Tensor gaps = view(base, {4}, {2}, 0);
  EXPECT_TRUE(may_share_elements(gaps, view(base, {4}, {2}, 1))) << "none in fact";
  EXPECT_TRUE(may_share_elements(gaps, view(base, {4}, {1}, 6)));
  EXPECT_FALSE(may_share_elements(gaps, view(base, {4}, {1}, 7)));
  EXPECT_FALSE(may_share_elements(gaps, gaps));
  EXPECT_FALSE(may_share_elements(gaps, make_tensor(DType::kFloat32, {4})));
}

}  // namespace
}  // namespace upcast
