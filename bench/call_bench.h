// Times a whole call of an op (dtypes, allocation, loop), compared with LibTorch's.
#pragma once

#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows named call/CASE: our call_op, compared with LibTorch's at:: function. The operands exist
/// already. One thread; LibTorch uses its native kernels.
std::vector<Row> call_rows();

}  // namespace upcast::bench
