// A whole call, compared with LibTorch's: dtypes, allocation, loop.
#pragma once

#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows call/CASE: call_op with its operands ready, against at::add and others with theirs, one
/// thread, LibTorch's native kernels.
std::vector<Row> call_rows();

}  // namespace upcast::bench
