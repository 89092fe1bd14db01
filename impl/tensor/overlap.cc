#include "impl/tensor/overlap.h"

#include <algorithm>
#include <utility>

#include "impl/tensor/memory_format.h"

namespace upcast {

bool has_internal_overlap(const Tensor& tensor) {
  if (is_non_overlapping_and_dense(tensor.sizes, tensor.strides)) return false;
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d)
    if (tensor.strides[d] == 0 && tensor.sizes[d] > 1) return true;
  return false;
}

bool may_overlap_itself(const Tensor& tensor) {
  if (is_contiguous(tensor.sizes, tensor.strides)) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // stride, size
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d)
    if (tensor.sizes[d] > 1) steps.emplace_back(tensor.strides[d], tensor.sizes[d]);
  std::sort(steps.begin(), steps.end());
  std::int64_t reach = 0;  // the highest offset that smaller strides reach
  for (const auto& [stride, size] : steps) {
    if (stride <= reach) return true;
    reach += stride * (size - 1);
  }
  return false;
}

bool is_same_tensor(const Tensor& a, const Tensor& b) {
  return &a == &b || (a.storage && a.storage == b.storage && a.dtype == b.dtype &&
                      a.offset == b.offset && a.sizes == b.sizes && a.strides == b.strides);
}

Overlap overlap_of(const Tensor& a, const Tensor& b) {
  if (numel(a.sizes) == 0 || numel(b.sizes) == 0) return Overlap::kNone;
  if (!is_non_overlapping_and_dense(a.sizes, a.strides) ||
      !is_non_overlapping_and_dense(b.sizes, b.strides))
    return Overlap::kTooHard;
  if (!a.storage || a.storage != b.storage) return Overlap::kNone;
  const std::int64_t a_begin = a.offset * itemsize(a.dtype);
  const std::int64_t b_begin = b.offset * itemsize(b.dtype);
  const std::int64_t a_end = a_begin + numel(a.sizes) * itemsize(a.dtype);
  const std::int64_t b_end = b_begin + numel(b.sizes) * itemsize(b.dtype);
  if (a_begin == b_begin && a_end == b_end)
    return a.strides == b.strides ? Overlap::kFull : Overlap::kPartial;
  return a_begin < b_end && b_begin < a_end ? Overlap::kPartial : Overlap::kNone;
}

bool may_share_elements(const Tensor& a, const Tensor& b) {
  if (!a.storage || a.storage != b.storage || is_same_tensor(a, b)) return false;
  const std::byte* const a_end = a.data() + span_of(a.sizes, a.strides) * itemsize(a.dtype);
  const std::byte* const b_end = b.data() + span_of(b.sizes, b.strides) * itemsize(b.dtype);
  return a.data() < b_end && b.data() < a_end;
}

}  // namespace upcast
