#include "cases/strides.h"

#include <algorithm>

namespace upcast {

Dims dense_strides(const Dims& sizes, const std::vector<int>& order) {
  Dims strides(sizes.size());
  std::int64_t stride = 1;
  for (const int d : order) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(sizes[d], 1);
  }
  return strides;
}

Dims reversed_strides(const Dims& sizes) {
  const Dims reversed = contiguous_strides(Dims(sizes.rbegin(), sizes.rend()));
  return {reversed.rbegin(), reversed.rend()};
}

Dims times(Dims strides, std::int64_t factor) {
  for (std::int64_t& stride : strides) stride *= factor;
  return strides;
}

void set_strides(Operand& operand, Dims strides) {
  if (strides == contiguous_strides(operand.sizes)) strides.clear();
  operand.strides = std::move(strides);
}

}  // namespace upcast
