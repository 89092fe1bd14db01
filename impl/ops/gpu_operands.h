// What a kernel of the GPU refuses before it looks at anything else: numbers that lie on the CPU.
#pragma once

#include <optional>

#include "impl/ops/call.h"
#include "impl/ops/catalogue.h"

namespace upcast {

/// Refuses an operand on the CPU among tensors on CUDA, unless the op's GpuScalars name it.
/// TensorIterator alone would take it. Source: LibTorch's generated wrappers of CUDA kernels
/// compare the devices of all tensors. Functions that native_functions.yaml marks `device_check:
/// NoCheck` do not; addcmul and addcdiv check it themselves.
std::optional<Rejection> check_gpu_operands(const Op& op, const Call& call);

}  // namespace upcast
