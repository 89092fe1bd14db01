#include "impl/cuda/cuda_check.h"
#include "impl/cuda/cuda_model.h"

namespace upcast {
namespace {

/// An empty kernel, compiled as every other is, so that its attributes are theirs.
__global__ void any_kernel() {}

}  // namespace

DeviceModel cuda_device_model() {
  cudaFuncAttributes attributes;
  succeed(cudaFuncGetAttributes(&attributes, any_kernel));
  // as kVectorBytes: the __CUDA_ARCH__ that the kernels saw is ten times this
  return {.vector_bytes = attributes.ptxVersion >= 100 ? 32U : 16U};
}

}  // namespace upcast
