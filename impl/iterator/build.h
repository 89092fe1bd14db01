// TensorIterator::build in two halves: the steps before the dtypes of a call are decided, and the
// steps after.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/plan.h"

namespace upcast {

/// Runs the steps before dtypes are decided. They mark outputs, check overlap, compute the shape,
/// and mark outputs to resize. They write what they find into `iteration`, which already holds the
/// operands. Returns the refusal that TensorIterator would give first, if there is one.
std::optional<Rejection> build_geometry(Iteration& iteration);

/// Whether an element that is written may share memory with another element that is read or
/// written.
bool shares_written_memory(const Iteration& iteration);

/// Makes the plan's loops over the operands. All outputs must be allocated.
IteratorPlan build_plan(const Iteration& iteration);

}  // namespace upcast
