// Checks what CUDA's runtime returns.
#pragma once

#include <cuda_runtime_api.h>

#include "impl/core/error.h"

namespace upcast {

/// Anything but success ends the program: a context that failed serves no later call.
inline void succeed(cudaError_t error) {
  if (error != cudaSuccess) check(false, cudaGetErrorString(error));
}

}  // namespace upcast
