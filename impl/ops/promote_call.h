// The dtypes of a call, or its refusal: everything that is decided before a shape is looked at.
#pragma once

#include "impl/ops/catalogue.h"

namespace upcast {

/// The elementwise operands of a call in order: those that the spec names, or for a function of
/// dtypes every tensor and number. An operand left out has dtype kUndefined.
OperandTypes operand_types(const Op& op, const Call& call);

/// Common and result dtype, through the op's checks, its promotion kind, and its list of kernels.
Outcome<Promoted> promote_call(const Op& op, const Call& call);

}  // namespace upcast
