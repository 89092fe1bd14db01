// The memory that both sides of a benchmark take their tensors from.
#pragma once

#include "impl/cpu/cpu_engine.h"
#include "impl/tensor/memory.h"

namespace upcast::bench {

/// A memory that keeps freed blocks of 64 KiB and more for the next request of the same size, from
/// either side. Its blocks use huge pages. With glibc, a result would lie in new pages in some
/// turns and in old ones in others, and the ratios would measure that.
Memory& recycled_memory();

/// Gives the freed blocks back to the system, with their pages. The next blocks are new.
void give_back_recycled_memory();

/// Makes LibTorch allocate its tensors from recycled_memory() from now on.
void recycle_memory_of_libtorch();

/// Our CPU engine, which allocates its results from recycled_memory().
class RecyclingEngine : public CpuEngine {
 public:
  Memory& memory() override { return recycled_memory(); }
};

}  // namespace upcast::bench
