// Times promote_types and result_type, compared with c10::promoteTypes and at::native::result_type.
#pragma once

#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows promote_types/..., result_type/KIND_KIND for all operand kinds, and pair/..., which times
/// both functions together. Aborts if the two sides give different answers.
std::vector<Row> promotion_rows();

}  // namespace upcast::bench
