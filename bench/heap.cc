#include "bench/heap.h"

#include <malloc.h>

#include <climits>

#include "impl/core/error.h"

namespace upcast::bench {

void recycle_memory() {
  // no block is a mapping of its own, whatever its size; the heap never shrinks
  const bool kept = mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, INT_MAX) == 1;
  check(kept, "glibc takes its settings");
}

}  // namespace upcast::bench
