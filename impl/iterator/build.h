// TensorIterator::build in two halves: the steps before dtypes are decided, and those after.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/plan.h"

namespace upcast {

/// Outputs marked, overlap checked, shape computed, resizing marked. The iteration holds its
/// operands; a refusal is TensorIterator's first one.
std::optional<Rejection> build_geometry(Iteration& iteration);

/// Whether an element that is written may lie where another element is read or written.
bool shares_written_memory(const Iteration& iteration);

/// Loops over the operands, whose outputs are all allocated by now.
IteratorPlan build_plan(const Iteration& iteration);

}  // namespace upcast
