#include "impl/tensor/tensor.h"

#include <algorithm>
#include <cstring>

#include "impl/core/error.h"
#include "impl/tensor/for_each_offset.h"

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

std::int64_t span_of(const Dims& sizes, const Dims& strides) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    last += (sizes[d] - 1) * strides[d];
  }
  return last + 1;
}

Tensor empty_tensor(DType dtype, const Dims& sizes, const Dims& strides, Memory& memory,
                    Device device) {
  Tensor tensor{.dtype = dtype, .sizes = sizes, .strides = strides, .device = device};
  const std::int64_t bytes =
      device == Device::kMeta ? 0 : span_of(sizes, strides) * itemsize(dtype);
  tensor.storage = std::make_shared<Storage>(bytes, memory);
  return tensor;
}

Tensor resized(Tensor tensor, const Dims& sizes) {
  tensor.sizes = sizes;
  tensor.strides = contiguous_strides(sizes);
  return tensor;
}

bool fits_storage(const Tensor& tensor) {
  if (tensor.device == Device::kMeta) return true;
  const std::int64_t end = tensor.offset + span_of(tensor.sizes, tensor.strides);
  return tensor.storage &&
         end * itemsize(tensor.dtype) <= static_cast<std::int64_t>(tensor.storage->size());
}

Tensor copy_to(const Tensor& tensor, Memory& memory) {
  Tensor copy = tensor;
  if (!tensor.storage || &tensor.storage->memory() == &memory) return copy;
  const Storage& from = *tensor.storage;
  copy.storage = std::make_shared<Storage>(from.size(), memory);
  if (&memory == &host_memory()) {
    from.memory().read(from.data(), {copy.storage->data(), from.size()});
  } else {
    check(tensor.on_host(), "two memories exchange data through the host");
    memory.write({from.data(), from.size()}, copy.storage->data());
  }
  return copy;
}

Tensor make_tensor(DType dtype, const Dims& sizes) {
  const Tensor tensor = empty_tensor(dtype, sizes, contiguous_strides(sizes));
  std::memset(tensor.data(), 0, tensor.storage->size());
  return tensor;
}

void scatter(const std::vector<std::byte>& bytes, const Tensor& tensor) {
  const int size = itemsize(tensor.dtype);
  for_each_offset(tensor.sizes, tensor.strides, [&](std::int64_t i, std::int64_t offset) {
    std::memcpy(tensor.data() + offset * size, bytes.data() + i * size, size);
  });
}

std::vector<std::byte> logical_bytes(const Tensor& tensor) {
  const int size = itemsize(tensor.dtype);
  std::vector<std::byte> bytes(numel(tensor.sizes) * size);
  if (tensor.strides == contiguous_strides(tensor.sizes)) {
    if (!bytes.empty()) std::memcpy(bytes.data(), tensor.data(), bytes.size());
    return bytes;
  }
  for_each_offset(tensor.sizes, tensor.strides, [&](std::int64_t i, std::int64_t offset) {
    std::memcpy(bytes.data() + i * size, tensor.data() + offset * size, size);
  });
  return bytes;
}

}  // namespace upcast
