// Settings of the CPU engine.
#pragma once

#include "impl/core/capability.h"

namespace upcast {

struct CpuSettings {
  Capability capability = best_capability();
  int threads = 1;  // the largest number of threads; small tensors use one
};

}  // namespace upcast
