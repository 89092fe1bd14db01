#include "impl/tensor/memory_format.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "impl/tensor/dimension_order.h"

namespace upcast {
namespace {

/// Whether the strides are those of a dense tensor with this order of dimensions, fastest first.
template <class Order>
bool is_dense_in(const Dims& sizes, const Dims& strides, const Order& order) {
  std::int64_t expected = 1;
  for (const auto d : order) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

constexpr std::array<int, 4> kChannelsLast{1, 3, 2, 0};

}  // namespace

bool is_contiguous(const Dims& sizes, const Dims& strides) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return true;
  std::int64_t expected = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool is_channels_last(const Dims& sizes, const Dims& strides) {
  return sizes.size() == 4 && is_dense_in(sizes, strides, kChannelsLast);
}

bool is_non_overlapping_and_dense(const Dims& sizes, const Dims& strides) {
  if (is_contiguous(sizes, strides)) return true;
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  return is_dense_in(sizes, strides, order);
}

Dims channels_last_strides(const Dims& sizes) {
  Dims strides(4);
  std::int64_t stride = 1;
  for (const int d : kChannelsLast) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  return strides;
}

Dims preserved_strides(const Dims& sizes, const Dims& strides) {
  if (is_non_overlapping_and_dense(sizes, strides)) return strides;
  const Dims* const operand = &strides;
  return strides_in_order(sizes, dimension_order(sizes, {&operand, 1}));
}

}  // namespace upcast
