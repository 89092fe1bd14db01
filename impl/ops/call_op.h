// Runs a whole call: shape, dtypes, allocation, plan and loops.
#pragma once

#include "impl/ops/engine.h"

namespace upcast {

/// Calls an op.
///
/// Shapes: operands broadcast. An out= of another shape is resized, and the result then has storage
/// of its own. In place, the broadcast shape must be that of self. DTypes: see promote_call.
/// Strides: as TensorIterator allocates. On the meta device no kernel runs, and a missing kernel is
/// no reason to refuse.
///
/// Errors: a Rejection, where LibTorch refuses. The output is then untouched, unless an element
/// caused it: on the CPU an integer division by zero is refused while the loops run.
Outcome<CallResult> call_op(const Op& op, const Call& call, Engine& engine);

}  // namespace upcast
