// A strided tensor, whose storage other tensors may share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "impl/core/device.h"
#include "impl/core/dtype.h"
#include "impl/promotion/result_type.h"
#include "impl/tensor/storage.h"

namespace upcast {

/// The sizes of a tensor, or its strides in elements.
using Dims = std::vector<std::int64_t>;

/// The number of elements; 1 for a zero-dim tensor.
std::int64_t numel(const Dims& sizes);

/// The strides of a dense row-major tensor. A size of 0 counts as 1, as in LibTorch.
Dims contiguous_strides(const Dims& sizes);

struct Tensor {
  DType dtype = DType::kUndefined;  // kUndefined: the tensor is undefined
  Dims sizes{};
  Dims strides{};           // in elements
  std::int64_t offset = 0;  // of its first element, in elements of the storage
  bool wrapped_number = false;
  Device device = Device::kCpu;
  std::shared_ptr<Storage> storage{};  // on the meta device it has no bytes

  bool defined() const { return dtype != DType::kUndefined; }
  /// The address of the first element; null if there is no storage.
  std::byte* data() const { return storage ? storage->data() + offset * itemsize(dtype) : nullptr; }
  bool on_host() const { return !storage || &storage->memory() == &host_memory(); }
  Kind kind() const {
    return !sizes.empty() ? Kind::kDim : wrapped_number ? Kind::kWrapped : Kind::kZeroDim;
  }
};

/// A new contiguous tensor on the host, filled with zeros.
Tensor make_tensor(DType dtype, const Dims& sizes);

/// A new uninitialised tensor with the given strides, which are at least 0 and in elements. On the
/// meta device it has no elements. Throws std::bad_alloc.
Tensor empty_tensor(DType dtype, const Dims& sizes, const Dims& strides,
                    Memory& memory = host_memory(), Device device = Device::kCpu);

/// The tensor after LibTorch's resize: row-major, at the same offset of the same storage. The
/// storage may be too small for it.
Tensor resized(Tensor tensor, const Dims& sizes);

/// Whether a tensor's storage is large enough for all its elements. On the meta device storages
/// hold nothing.
bool fits_storage(const Tensor& tensor);

/// The tensor over a copy of its whole storage in `memory`. Returns the tensor itself if its
/// storage already lies in that memory, or if it has none.
Tensor copy_to(const Tensor& tensor, Memory& memory);

/// How many elements of memory a tensor covers from its first element to its last, gaps included; 0
/// if it is empty.
std::int64_t span_of(const Dims& sizes, const Dims& strides);

/// Writes elements into a tensor on the host, by its strides. `bytes` has them in logical order,
/// numel * itemsize bytes.
void scatter(const std::vector<std::byte>& bytes, const Tensor& tensor);

/// The elements of a tensor on the host, in logical (row-major) order: numel * itemsize bytes.
std::vector<std::byte> logical_bytes(const Tensor& tensor);

}  // namespace upcast
