// Settings of the CPU engine: its vector instructions and its number of threads.
#pragma once

#include "impl/core/capability.h"

namespace upcast {

struct CpuSettings {
  Capability capability = best_capability();
  int threads = 1;  // the largest number of threads; small tensors use one
};

}  // namespace upcast
