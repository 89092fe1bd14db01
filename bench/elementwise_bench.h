// Times ops over long tensors, compared with LibTorch's native kernels.
#pragma once

#include <cstdint>
#include <string_view>

#include "bench/measure.h"

namespace upcast::bench {

/// All rows are measured in so many rounds, each in new blocks of memory. So neither a short burst
/// of other load nor blocks that lie badly fill most rounds of a row.
inline constexpr int kRounds = 5;

struct ElementwiseOptions {
  std::string_view filter = "";  // only rows whose name contains this text
  /// Whether to add rows family/NAME and pair, over a quarter as many elements: one op of each
  /// family in each dtype that it takes, and additions of two dtypes.
  bool all = false;
  std::int64_t side = 4096;  // the operands of a row have side * side elements
};

/// Rows named GROUP CALL; the groups are same, mixed, scalar, math and strided. Each row is in
/// nanoseconds an element, for the functional form in one thread. Both sides allocate their result.
/// The notes list the calls that LibTorch refuses.
Report elementwise_report(const ElementwiseOptions& options = {});

}  // namespace upcast::bench
