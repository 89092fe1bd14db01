// A whole call: shape, dtypes, allocation, plan, loops.
#pragma once

#include "impl/ops/engine.h"

namespace upcast {

/// Calls an op. Shapes: operands broadcast; out= is resized where its shape differs (the result
/// then has storage of its own); in place, the broadcast shape must be that of self. DTypes:
/// promote_call. Strides: as TensorIterator allocates. On the meta device no kernel runs, nor is
/// one missed. Errors: a Rejection, as LibTorch refuses; the output is untouched then, unless an
/// element's fault (an integer division by zero, which the CPU refuses) is the reason.
Outcome<CallResult> call_op(const Op& op, const Call& call, Engine& engine);

}  // namespace upcast
