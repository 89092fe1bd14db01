// Which thread of a launch this is. No other code asks the hardware.
#pragma once

#include <cstdint>

#include "impl/core/host_device.h"

namespace upcast {

struct LaunchIndex {
  std::uint32_t block, thread;    // this one
  std::uint32_t blocks, threads;  // blocks of the launch, and threads of a block

  UPCAST_HOST_DEVICE std::uint32_t all_threads() const { return blocks * threads; }
};

#if defined(__CUDACC__)
__device__ inline LaunchIndex launch_index() {
  return {blockIdx.x, threadIdx.x, gridDim.x, blockDim.x};
}
#endif

}  // namespace upcast
