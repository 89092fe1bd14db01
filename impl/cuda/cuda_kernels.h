// Kernels in the form in which CUDA's runtime launches them.
#pragma once

#include "impl/cuda/device_kernels.h"

namespace upcast {

#if defined(__CUDACC__)
template <class O, class T, class S>
__global__ void contiguous_kernel(const __grid_constant__ ContiguousArgs args) {
  elementwise_contiguous<O, T, S>(launch_index(), args);
}
template <class O, class T>
__global__ void general_kernel(const __grid_constant__ GeneralArgs args) {
  elementwise_general<O, T>(launch_index(), args);
}
#endif

/// Gives kernels as pointers for cudaLaunchKernel; a pointer is null if there is no kernel.
struct CudaBackend {
  using Contiguous = const void*;
  using General = const void*;

#if defined(__CUDACC__)
  template <class O, class T, class S>
  static Contiguous contiguous() {
    return reinterpret_cast<const void*>(&contiguous_kernel<O, T, S>);
  }
  template <class O, class T>
  static General general() {
    return reinterpret_cast<const void*>(&general_kernel<O, T>);
  }
#endif
};

using CudaKernelTable = DeviceKernelTable<CudaBackend>;

}  // namespace upcast
