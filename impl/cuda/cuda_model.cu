#include "impl/cuda/cuda_check.h"
#include "impl/cuda/cuda_model.h"

namespace upcast {
namespace {

/// An empty kernel. It is compiled like every other kernel, so that its attributes tell those of
/// all.
__global__ void any_kernel() {}

}  // namespace

DeviceModel cuda_device_model() {
  cudaFuncAttributes attributes;
  succeed(cudaFuncGetAttributes(&attributes, any_kernel));
  // The width must be that of kVectorBytes in the compiled kernels, which depends on __CUDA_ARCH__.
  // That is ten times ptxVersion.
  return {.vector_bytes = attributes.ptxVersion >= 100 ? 32U : 16U};
}

}  // namespace upcast
