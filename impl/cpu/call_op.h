// A whole call on the CPU: dtypes, shape, plan, tiles.
#pragma once

#include "impl/ops/catalogue.h"

namespace upcast {

/// Calls an op. Shapes: operands broadcast; out= is resized where its shape differs; in place, the
/// broadcast shape must be that of self. DTypes: promote_call. Errors: a Rejection, as LibTorch
/// refuses.
Outcome<CallResult> call_op(const Op& op, const Call& call);

}  // namespace upcast
