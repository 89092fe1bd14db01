// The heap of a benchmark's process.
#pragma once

namespace upcast::bench {

/// From now on, freed memory is reused for later results of both sides, and does not go back to the
/// system. Else each result of 64 MiB would take new pages, and the benchmark would compare how the
/// sides get pages: ours asks for huge ones, LibTorch does not.
void recycle_memory();

}  // namespace upcast::bench
