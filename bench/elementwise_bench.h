// Long tensors, compared with LibTorch's native kernels.
#pragma once

#include <string_view>
#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows same/OP, mixed/OP, scalar/OP, math/OP, strided/OP over side * side elements, one thread
/// each, the functional form: ns an element, allocation of the result included on both sides. Only
/// those whose name holds `filter`.
std::vector<Row> elementwise_rows(std::string_view filter = "", std::int64_t side = 4096);

}  // namespace upcast::bench
