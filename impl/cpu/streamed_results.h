// Streamed results: stores past the caches. An ordinary store first reads the cache line that it
// writes to, which costs an addition of large tensors a fifth of its time. Ops that compute more
// than they wait for the memory lose time by it. Loops on lanes stream their own results
// (ops/lane_loop.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "impl/core/cache.h"
#include "impl/core/capability.h"
#include "impl/iterator/plan.h"

namespace upcast::internal {

/// Results are computed in pieces, which are then copied. Pieces of 512 bytes and more made some
/// loops slower than ordinary stores, and which ones depended on the build. Pieces of packed
/// elements are larger, because each costs more calls.
inline constexpr std::int64_t kStreamedPiece = 256, kStreamedPackedPiece = 1024;  // bytes

/// Asks the processor to fetch memory into its caches. That is only a hint, so the memory may lie
/// past the end of an operand.
inline void fetch(const std::byte* at, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(at + i);
}

/// Whether a plan's results are streamed: they are large, lie in long dense rows, and take no
/// memory of an input, whose cache lines are read anyway.
bool is_streamed(const IteratorPlan& plan, Capability capability);

/// Copies results to memory, past the caches if `to` is at the start of a cache line.
/// Precondition: the capability is not the baseline. `from` is at a multiple of 32.
void stream(std::byte* to, const std::byte* from, std::int64_t bytes);

/// Lets other threads see what this one has streamed before what it writes from now on.
void end_streams();

}  // namespace upcast::internal
