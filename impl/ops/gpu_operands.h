// The first check of a GPU's kernel: it refuses numbers and tensors that lie on the CPU.
#pragma once

#include <optional>

#include "impl/ops/call.h"
#include "impl/ops/catalogue.h"

namespace upcast {

/// Refuses an operand on the CPU when other tensors are on CUDA, unless the op's GpuScalars allow
/// it. TensorIterator alone would accept it. Source: LibTorch's generated wrappers of CUDA kernels
/// compare the devices of all tensors. Functions that native_functions.yaml marks `device_check:
/// NoCheck` skip this comparison; addcmul and addcdiv check the devices themselves.
std::optional<Rejection> check_gpu_operands(const Op& op, const Call& call);

}  // namespace upcast
