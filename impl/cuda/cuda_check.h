// Checks the error codes that functions of CUDA's runtime return.
#pragma once

#include <cuda_runtime_api.h>

#include "impl/core/error.h"

namespace upcast {

/// Ends the program if a call of CUDA's runtime fails, because no later call can use the context.
inline void succeed(cudaError_t error) {
  if (error != cudaSuccess) check(false, cudaGetErrorString(error));
}

}  // namespace upcast
