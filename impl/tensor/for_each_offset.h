// Visits the elements of a strided tensor in logical order.
#pragma once

#include <cstdint>
#include <vector>

namespace upcast {

/// Calls visit(position in logical order, offset of the element) for each element. `Sizes` is Dims,
/// or the corresponding type of another library. Offsets have the unit of the strides.
template <class Sizes, class Visit>
void for_each_offset(const Sizes& sizes, const Sizes& strides, Visit visit) {
  if (sizes.size() == 1) {
    for (std::int64_t i = 0; i < sizes[0]; ++i) visit(i, i * strides[0]);
    return;
  }
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  std::vector<std::int64_t> index(sizes.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(i, offset);
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < sizes[d]) break;
      offset -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

}  // namespace upcast
