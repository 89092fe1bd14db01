#include "impl/tensor/dimension_order.h"

#include <utility>

namespace upcast {
namespace {

/// Which of the dimensions a and b comes first, fastest dimension first: -1 for a, 1 for b, 0 if
/// the operands do not decide.
int compare(int a, int b, const Dims& sizes, std::span<const Dims* const> operands) {
  for (const Dims* strides : operands) {
    if (strides->empty()) continue;
    const std::int64_t stride_a = (*strides)[a];
    const std::int64_t stride_b = (*strides)[b];
    if (stride_a == 0 || stride_b == 0) continue;
    if (stride_a != stride_b) return stride_a < stride_b ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

}  // namespace

std::vector<int> dimension_order(const Dims& sizes, std::span<const Dims* const> strides) {
  const int ndim = static_cast<int>(sizes.size());
  std::vector<int> order(ndim);
  for (int i = 0; i < ndim; ++i) order[i] = ndim - 1 - i;
  for (int i = 1; i < ndim; ++i) {
    int moving = i;
    for (int j = i - 1; j >= 0; --j) {
      const int comparison = compare(order[j], order[moving], sizes, strides);
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(order[j], order[moving]);
      moving = j;
    }
  }
  return order;
}

bool is_row_major(std::span<const int> order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<int>(order.size() - 1 - i)) return false;
  return true;
}

Dims strides_in_order(const Dims& sizes, std::span<const int> order) {
  if (is_row_major(order)) return contiguous_strides(sizes);
  Dims strides(sizes.size());
  std::int64_t stride = 1;
  for (const int d : order) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  return strides;
}

}  // namespace upcast
