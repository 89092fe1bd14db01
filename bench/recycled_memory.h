// The memory that both sides of a benchmark take their tensors from.
#pragma once

#include "impl/cpu/cpu_engine.h"
#include "impl/tensor/memory.h"

namespace upcast::bench {

/// Blocks of 64 KiB and more that are freed wait for the next one of their size, whichever side
/// asks for it. They lie at huge pages. Otherwise glibc would give a result new pages in some turns
/// and old ones in others, and the ratios would compare those.
Memory& recycled_memory();

/// From now on LibTorch takes the memory of its tensors there.
void recycle_memory_of_libtorch();

/// Our engine, with results there.
class RecyclingEngine : public CpuEngine {
 public:
  Memory& memory() override { return recycled_memory(); }
};

}  // namespace upcast::bench
