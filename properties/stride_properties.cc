// Properties of the functions about sizes and strides. They are checked element by element, without
// the functions themselves.
#include <algorithm>
#include <set>

#include "oracle/case_call.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

/// Where the elements of a tensor with four sizes lie, in the order N, H, W, C.
std::vector<std::int64_t> positions_by_channel(const Dims& sizes, const Dims& strides) {
  return positions_of({sizes[0], sizes[2], sizes[3], sizes[1]},
                      {strides[0], strides[2], strides[3], strides[1]});
}

/// Calls f(sizes, strides) for each tensor argument with elements.
template <class F>
Finding for_each_layout(const Case& c, F f) {
  Finding finding = Finding::kVacuous;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (element_count(operand) == 0) continue;
    f(operand.sizes, strides_of(operand));
    finding = Finding::kHolds;
  }
  return finding;
}

void require(bool asked, bool expected, const std::string& what, const Dims& sizes,
             const Dims& strides) {
  if (asked != expected)
    RC_FAIL("sizes " + to_text(sizes) + ", strides " + to_text(strides) + ": " +
            (asked ? "" : "not ") + what);
}

Finding check_contiguous(const System& system, const Case& c) {
  return for_each_layout(c, [&](const Dims& sizes, const Dims& strides) {
    require(system.iterator.is_contiguous(sizes, strides), counts_up(positions_of(sizes, strides)),
            "contiguous", sizes, strides);
  });
}

Finding check_channels_last(const System& system, const Case& c) {
  return for_each_layout(c, [&](const Dims& sizes, const Dims& strides) {
    require(system.iterator.is_channels_last(sizes, strides),
            sizes.size() == 4 && counts_up(positions_by_channel(sizes, strides)), "channels_last",
            sizes, strides);
  });
}

Finding check_dense(const System& system, const Case& c) {
  return for_each_layout(c, [&](const Dims& sizes, const Dims& strides) {
    require(system.iterator.is_dense(sizes, strides), fills(positions_of(sizes, strides)), "dense",
            sizes, strides);
  });
}

Finding check_span(const System& system, const Case& c) {
  return for_each_layout(c, [&](const Dims& sizes, const Dims& strides) {
    const std::vector<std::int64_t> positions = positions_of(sizes, strides);
    RC_ASSERT(system.iterator.span_of(sizes, strides) ==
              *std::max_element(positions.begin(), positions.end()) + 1);
  });
}

Finding check_preserved(const System& system, const Case& c) {
  return for_each_layout(c, [&](const Dims& sizes, const Dims& strides) {
    const Dims preserved = system.iterator.preserved_strides(sizes, strides);
    require(fills(positions_of(sizes, preserved)), true, "dense", sizes, preserved);
    if (fills(positions_of(sizes, strides)) && !same_strides(sizes, preserved, strides))
      RC_FAIL("dense strides " + to_text(strides) + " become " + to_text(preserved));
    if (system.iterator.preserved_strides(sizes, preserved) != preserved)
      RC_FAIL("they change again: " + to_text(preserved));
  });
}

/// Checks that a copy keeps the order of elements in memory, for a tensor whose elements share no
/// memory.
Finding check_preserved_order(const System& system, const Case& c) {
  Finding finding = Finding::kVacuous;
  static_cast<void>(for_each_layout(c, [&](const Dims& sizes, const Dims& strides) {
    // Leaves out tensors whose dimensions have no single order: equal strides, a stride of 0, or a
    // size of 1.
    for (std::size_t d = 0; d < sizes.size(); ++d)
      for (std::size_t e = 0; e < sizes.size(); ++e)
        if (d != e && strides[d] <= strides[e] &&
            (strides[d] == strides[e] || sizes[d] == 1 || sizes[e] == 1 || strides[d] == 0))
          return;
    const std::vector<std::int64_t> before = positions_of(sizes, strides);
    const Dims preserved = system.iterator.preserved_strides(sizes, strides);
    for (std::size_t d = 0; d < sizes.size(); ++d)
      for (std::size_t e = 0; e < sizes.size(); ++e)
        if (strides[d] < strides[e] && preserved[d] > preserved[e])
          RC_FAIL("strides " + to_text(strides) + " become " + to_text(preserved));
    finding = Finding::kHolds;
  }));
  return finding;
}

Finding check_internal_overlap(const System& system, const Case& c) {
  Finding finding = Finding::kVacuous;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    const Tensor tensor{
        .dtype = operand.dtype, .sizes = operand.sizes, .strides = strides_of(operand)};
    const std::vector<std::int64_t> positions = positions_of(tensor.sizes, tensor.strides);
    const bool shares =
        std::set<std::int64_t>(positions.begin(), positions.end()).size() < positions.size();
    bool repeats = false;
    for (std::size_t d = 0; d < tensor.sizes.size(); ++d)
      repeats = repeats || (tensor.sizes[d] > 1 && tensor.strides[d] == 0);
    const bool found = system.iterator.has_internal_overlap(tensor);
    if (found && !shares && !positions.empty())
      RC_FAIL("a false alarm: " + to_text(tensor.strides));
    if (!found && repeats && !positions.empty())
      RC_FAIL("unnoticed: " + to_text(tensor.strides) + " in " + to_text(tensor.sizes));
    finding = Finding::kHolds;
  }
  return finding;
}

/// The bytes of the storage that each element covers, in row-major order.
std::vector<std::int64_t> bytes_of(const Tensor& tensor) {
  std::vector<std::int64_t> bytes;
  for (const std::int64_t position : positions_of(tensor.sizes, tensor.strides))
    for (std::int64_t byte = 0; byte < itemsize(tensor.dtype); ++byte)
      bytes.push_back((tensor.offset + position) * itemsize(tensor.dtype) + byte);
  return bytes;
}

Overlap expected_overlap(const Tensor& a, const Tensor& b) {
  const std::vector<std::int64_t> mine = bytes_of(a), theirs = bytes_of(b);
  const std::set<std::int64_t> all(mine.begin(), mine.end());
  const auto meets = std::count_if(theirs.begin(), theirs.end(),
                                   [&all](std::int64_t byte) { return all.contains(byte); });
  if (meets == 0 || a.storage != b.storage) return Overlap::kNone;
  const bool whole = meets == static_cast<std::int64_t>(all.size()) && mine.size() == theirs.size();
  return whole && a.strides == b.strides ? Overlap::kFull : Overlap::kPartial;
}

Finding check_overlap(const System& system, const Case& c) {
  CaseCall call;
  call.make(c);
  Finding finding = Finding::kVacuous;
  const std::vector<Tensor> tensors = call.tensors();
  for (const Tensor& a : tensors)
    for (const Tensor& b : tensors) {
      if (&a == &b || !a.defined() || !b.defined() || numel(a.sizes) == 0 || numel(b.sizes) == 0)
        continue;
      const Overlap found = system.iterator.overlap_of(a, b);
      const bool both_dense =
          fills(positions_of(a.sizes, a.strides)) && fills(positions_of(b.sizes, b.strides));
      const Overlap expected = both_dense ? expected_overlap(a, b) : Overlap::kTooHard;
      if (found != expected)
        RC_FAIL("it is " + std::to_string(static_cast<int>(found)) + ", not " +
                std::to_string(static_cast<int>(expected)) + " (Overlap)");
      finding = Finding::kHolds;
    }
  return finding;
}

Finding check_order(const System& system, const Case& c) {
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    const Dims strides = strides_of(operand);
    const std::array<const Dims*, 1> opinions{&strides};
    std::vector<int> order = system.iterator.dimension_order(operand.sizes, opinions);
    const bool row_major = element_count(operand) > 0 &&
                           counts_up(positions_of(operand.sizes, strides)) &&
                           std::count(operand.sizes.begin(), operand.sizes.end(), 1) == 0;
    if (row_major && !std::is_sorted(order.rbegin(), order.rend()))
      RC_FAIL("a contiguous operand is reordered");
    std::sort(order.begin(), order.end());
    for (std::size_t d = 0; d < operand.sizes.size(); ++d)
      RC_ASSERT(order.size() == operand.sizes.size() && order[d] == static_cast<int>(d));
  }
  return finding_of(our_answer(c));
}

Finding check_broadcast_strides(const System& system, const Case& c) {
  const Dims shape = broadcast_shape(c).value_or(Dims{});
  Finding finding = Finding::kVacuous;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    const Dims strides = strides_of(operand);
    if (operand.sizes.size() > shape.size() || numel(shape) == 0) continue;
    const Dims broadcast = system.iterator.broadcast_strides(operand.sizes, strides, shape);
    if (broadcast.size() != shape.size()) RC_FAIL("strides " + to_text(broadcast));
    for_each_index(shape, [&](const Dims& index) {
      std::int64_t seen = 0, expected = 0;
      for (std::size_t d = 0; d < shape.size(); ++d) seen += index[d] * broadcast[d];
      const std::size_t further = shape.size() - operand.sizes.size();
      for (std::size_t d = 0; d < operand.sizes.size(); ++d)
        expected += (operand.sizes[d] == 1 ? 0 : index[d + further]) * strides[d];
      if (seen != expected) RC_FAIL("at " + to_text(index) + " strides " + to_text(broadcast));
    });
    finding = Finding::kHolds;
  }
  return finding;
}

// Controls.

bool contiguous_but_for_the_first(const Dims& sizes, const Dims& strides) {
  if (sizes.empty()) return true;
  return is_contiguous(Dims(sizes.begin() + 1, sizes.end()),
                       Dims(strides.begin() + 1, strides.end()));
}
bool channels_are_next(const Dims& sizes, const Dims& strides) {
  return sizes.size() == 4 && strides[1] == 1;
}
bool dense_if_it_spans_its_elements(const Dims& sizes, const Dims& strides) {
  return span_of(sizes, strides) == numel(sizes);
}
std::int64_t count_elements(const Dims& sizes, const Dims&) { return numel(sizes); }
Dims keep_strides(const Dims&, const Dims& strides) { return strides; }
Dims forget_strides(const Dims& sizes, const Dims&) { return contiguous_strides(sizes); }
bool alarm_unless_dense(const Tensor& tensor) {
  return !is_non_overlapping_and_dense(tensor.sizes, tensor.strides);
}
Overlap compare_first_bytes(const Tensor& a, const Tensor& b) {
  const Overlap right = overlap_of(a, b);
  if (right == Overlap::kTooHard) return right;
  return a.data() == b.data() ? right : Overlap::kNone;
}
std::vector<int> order_without_the_slowest(const Dims& sizes,
                                           std::span<const Dims* const> strides) {
  std::vector<int> order = dimension_order(sizes, strides);
  if (order.size() > 1) order.back() = order.front();
  return order;
}
Dims left_aligned(const Dims& sizes, const Dims& strides, const Dims& shape) {
  Dims padded_sizes = sizes, padded = strides;
  padded_sizes.resize(shape.size(), 1);
  padded.resize(shape.size(), 0);
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (padded_sizes[d] == 1) padded[d] = 0;
  return padded;
}

}  // namespace

std::span<const Property> stride_properties() {
  using Steps = IteratorSteps;
  static const std::vector<Property> properties{
      law(Asks::kIterator, "ContiguousMeansOneAfterTheOther",
          "A tensor is contiguous exactly if its elements follow one another in row-major order.",
          kPlanCalls, &check_contiguous,
          {.what = "the first dimension is ignored",
           .spoil_iterator = &replace<&Steps::is_contiguous, &contiguous_but_for_the_first>}),
      law(Asks::kIterator, "ChannelsLastMeansOneAfterTheOther",
          "A tensor is channels_last exactly if it has four sizes and its elements follow one "
          "another in the order N,H,W,C.",
          kCallsWithChannelsLast, &check_channels_last,
          {.what = "a stride of 1 along C is enough",
           .spoil_iterator = &replace<&Steps::is_channels_last, &channels_are_next>}),
      law(Asks::kIterator, "DenseMeansEachPlaceOnce",
          "A tensor is dense exactly if its elements take each place of its span once.", kPlanCalls,
          &check_dense,
          {.what = "the span only needs as many places as elements",
           .spoil_iterator = &replace<&Steps::is_dense, &dense_if_it_spans_its_elements>}),
      law(Asks::kIterator, "TheSpanEndsAfterTheLastElement",
          "The span of a tensor is one more than the place of its farthest element.", kPlanCalls,
          &check_span,
          {.what = "the span is the number of elements",
           .spoil_iterator = &replace<&Steps::span_of, &count_elements>}),
      law(Asks::kIterator, "PreservedStridesAreDense",
          "The strides of a copy that preserves the layout are dense. They equal the tensor's "
          "strides if those are dense, and a second copy keeps them.",
          kPlanCalls, &check_preserved,
          {.what = "strides are kept as they are",
           .spoil_iterator = &replace<&Steps::preserved_strides, &keep_strides>}),
      law(Asks::kIterator, "PreservedStridesKeepTheOrder",
          "A copy that preserves the layout keeps the order of dimensions whose strides differ.",
          kPlanCalls, &check_preserved_order,
          {.what = "the copy is contiguous",
           .spoil_iterator = &replace<&Steps::preserved_strides, &forget_strides>}),
      law(Asks::kIterator, "InternalOverlapIsNoFalseAlarm",
          "If a tensor is reported to overlap itself, two of its elements share a place. A stride "
          "of 0 along a size above 1 is always reported.",
          kPlanCalls, &check_internal_overlap,
          {.what = "every tensor that is not dense is reported",
           .spoil_iterator = &replace<&Steps::has_internal_overlap, &alarm_unless_dense>}),
      law(Asks::kIterator, "OverlapOfDenseViewsIsExact",
          "For two dense views the answer is exact: they share no byte, are the same view, or "
          "overlap partially. For other views the answer is `unknown`.",
          kPartialOverlaps, &check_overlap,
          {.what = "only their first bytes are compared",
           .spoil_iterator = &replace<&Steps::overlap_of, &compare_first_bytes>}),
      law(Asks::kIterator, "TheOrderOfDimensionsIsAPermutation",
          "The order of dimensions that follows from the strides names each dimension once, and is "
          "row-major for a contiguous tensor.",
          kPlanCalls, &check_order,
          {.what = "the fastest dimension is named twice",
           .spoil_iterator = &replace<&Steps::dimension_order, &order_without_the_slowest>}),
      law(Asks::kIterator, "BroadcastStridesLeadToTheElement",
          "Strides in the broadcast shape give for each index the operand's element at that index.",
          kCallsThatBroadcast, &check_broadcast_strides,
          {.what = "shapes are aligned on the left",
           .spoil_iterator = &replace<&Steps::broadcast_strides, &left_aligned>}),
  };
  return properties;
}

}  // namespace upcast::properties
