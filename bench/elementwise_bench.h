// Long tensors, compared with LibTorch's native kernels.
#pragma once

#include <cstdint>
#include <string_view>

#include "bench/measure.h"

namespace upcast::bench {

struct ElementwiseOptions {
  std::string_view filter = "";  // rows whose name holds it
  /// Also one op of each family in each dtype that it takes (family/NAME), and additions of two
  /// dtypes (pair), over a quarter as many elements.
  bool all = false;
  std::int64_t side = 4096;  // of the square of all elements
};

/// Rows GROUP CALL, the groups same, mixed, scalar, math and strided: one thread each, the
/// functional form, ns an element, allocation of the result included on both sides. The notes say
/// what LibTorch refuses.
Report elementwise_report(const ElementwiseOptions& options = {});

}  // namespace upcast::bench
