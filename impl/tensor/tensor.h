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
  /// The first element; null without storage.
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

/// A tensor as LibTorch resizes it: row-major, from where it begins in its storage, which may be
/// too small for it.
Tensor resized(Tensor tensor, const Dims& sizes);

/// Whether its storage holds all elements of a tensor; on the meta device nothing is held.
bool fits_storage(const Tensor& tensor);

/// A tensor over a copy of the whole storage of another in other memory; the tensor itself where
/// its storage is in that memory, or where it has none.
Tensor copy_to(const Tensor& tensor, Memory& memory);

/// Elements of memory that a tensor spans, from its offset on; 0 where it is empty.
std::int64_t span_of(const Dims& sizes, const Dims& strides);

/// Copies elements in logical order, numel * itemsize bytes, to where the strides of a tensor on
/// the host put them.
void scatter(const std::vector<std::byte>& bytes, const Tensor& tensor);

/// The elements of a tensor on the host in logical (row-major) order, numel * itemsize bytes.
std::vector<std::byte> logical_bytes(const Tensor& tensor);

}  // namespace upcast
