// Long tensors beside LibTorch's native kernels.
#pragma once

#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows same/OP, mixed/OP, scalar/OP, math/OP, strided/OP over 2^24 elements, one thread each, the
/// functional form: ns an element, allocation of the result included on both sides.
std::vector<Row> elementwise_rows();

}  // namespace upcast::bench
