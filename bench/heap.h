// The heap of a benchmark's process.
#pragma once

namespace upcast::bench {

/// From now on memory that either side gives back is what the next result of either side is made
/// of: nothing goes back to the system. Else a result of 64 MiB is new pages on every call, and the
/// sides are compared by how they get pages: ours asks for huge ones, LibTorch does not.
void recycle_memory();

}  // namespace upcast::bench
