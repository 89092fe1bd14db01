#include "impl/tensor/tensor.h"

#include <algorithm>
#include <cstring>

namespace upcast {

std::int64_t numel(const Dims& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

Dims contiguous_strides(const Dims& sizes) {
  Dims strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(sizes[d], 1);
  }
  return strides;
}

Tensor make_tensor(DType dtype, const Dims& sizes) {
  Tensor tensor{.dtype = dtype, .sizes = sizes, .strides = contiguous_strides(sizes)};
  tensor.storage = std::make_shared<Storage>(numel(sizes) * itemsize(dtype));
  return tensor;
}

std::vector<std::byte> logical_bytes(const Tensor& tensor) {
  const std::int64_t count = numel(tensor.sizes);
  const int size = itemsize(tensor.dtype);
  std::vector<std::byte> bytes(count * size);
  if (tensor.strides == contiguous_strides(tensor.sizes)) {
    if (count > 0) std::memcpy(bytes.data(), tensor.data(), bytes.size());
    return bytes;
  }
  Dims index(tensor.sizes.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < index.size(); ++d) element += index[d] * tensor.strides[d];
    std::memcpy(bytes.data() + i * size, tensor.data() + element * size, size);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.sizes[d]) break;
      index[d] = 0;
    }
  }
  return bytes;
}

}  // namespace upcast
