// A thread's place in its launch. Only this file asks the hardware for a thread's place.
#pragma once

#include <cstdint>

#include "impl/core/host_device.h"

namespace upcast {

struct LaunchIndex {
  std::uint32_t block, thread;    // numbers of this thread's block, and of the thread in its block
  std::uint32_t blocks, threads;  // number of blocks of the launch, and of threads of a block

  UPCAST_HOST_DEVICE std::uint32_t all_threads() const { return blocks * threads; }
};

#if defined(__CUDACC__)
__device__ inline LaunchIndex launch_index() {
  return {blockIdx.x, threadIdx.x, gridDim.x, blockDim.x};
}
#endif

}  // namespace upcast
