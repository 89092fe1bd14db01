// Our tensors, seen as LibTorch's. Includes LibTorch: only for the source files that time it.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include "impl/tensor/tensor.h"

namespace upcast::bench {

/// A tensor of LibTorch over the memory of our tensor, which lies on `device`.
inline at::Tensor view_of(const Tensor& tensor, at::Device device) {
  const auto dtype = static_cast<at::ScalarType>(code(tensor.dtype));
  return at::for_blob(tensor.data(), tensor.sizes)
      .strides(tensor.strides)
      .options(at::TensorOptions().dtype(dtype).device(device))
      .target_device(device)
      .make_tensor();
}

}  // namespace upcast::bench
