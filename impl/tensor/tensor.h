// A strided tensor over shared storage.
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

/// Sizes, or strides in elements.
using Dims = std::vector<std::int64_t>;

/// Number of elements; 1 for zero-dim.
std::int64_t numel(const Dims& sizes);

/// Strides of a dense row-major tensor; a size of 0 counts as 1, as in LibTorch.
Dims contiguous_strides(const Dims& sizes);

struct Tensor {
  DType dtype = DType::kUndefined;  // kUndefined: no tensor
  Dims sizes{};
  Dims strides{};           // elements
  std::int64_t offset = 0;  // elements
  bool wrapped_number = false;
  Device device = Device::kCpu;
  std::shared_ptr<Storage> storage{};  // on the meta device one of no bytes

  bool defined() const { return dtype != DType::kUndefined; }
  /// The address of the first element; null without storage.
  std::byte* data() const { return storage ? storage->data() + offset * itemsize(dtype) : nullptr; }
  bool on_host() const { return !storage || &storage->memory() == &host_memory(); }
  Kind kind() const {
    return !sizes.empty() ? Kind::kDim : wrapped_number ? Kind::kWrapped : Kind::kZeroDim;
  }
};

/// A new contiguous tensor on the host, zero-filled.
Tensor make_tensor(DType dtype, const Dims& sizes);

/// A new tensor with the given strides, uninitialised; without elements on the meta device.
/// Strides:
/// >= 0, in elements. Throws std::bad_alloc.
Tensor empty_tensor(DType dtype, const Dims& sizes, const Dims& strides,
                    Memory& memory = host_memory(), Device device = Device::kCpu);

/// The tensor after LibTorch's resize: row-major, at the same place in its storage. The storage may
/// be too small for it.
Tensor resized(Tensor tensor, const Dims& sizes);

/// Whether a tensor's storage holds all its elements. On the meta device storages hold nothing.
bool fits_storage(const Tensor& tensor);

/// A tensor over a copy of another tensor's whole storage in `memory`. Gives the tensor itself if
/// its storage is in that memory already, or if it has none.
Tensor copy_to(const Tensor& tensor, Memory& memory);

/// How many elements of memory a tensor spans, from its offset on; 0 if it is empty.
std::int64_t span_of(const Dims& sizes, const Dims& strides);

/// Writes elements, which are given in logical order (numel * itemsize bytes), to the places that
/// the strides of a tensor on the host give them.
void scatter(const std::vector<std::byte>& bytes, const Tensor& tensor);

/// The elements of a tensor on the host in logical (row-major) order, numel * itemsize bytes.
std::vector<std::byte> logical_bytes(const Tensor& tensor);

}  // namespace upcast
