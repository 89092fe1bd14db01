// The dtypes of a call, or its refusal because of them.
#pragma once

#include "impl/ops/catalogue.h"

namespace upcast {

/// The elementwise operands of a call in order: those that the spec names, or for a function of
/// dtypes every tensor and number. An operand left out has dtype kUndefined.
OperandTypes operand_types(const Op& op, const Call& call);

/// Why the op refuses its operands before it looks at a shape: undefined ones, and its own checks.
std::optional<Rejection> check_operands(const Op& op, const Call& call, const OperandTypes& types);

/// Common and result dtype, through the op's promotion kind.
Outcome<Promoted> compute_call_types(const Op& op, const Call& call, const OperandTypes& types);

/// Refuses a common dtype for which the op has no kernel.
std::optional<Rejection> check_kernel(const Op& op, DType common);

/// Whether the call is of an out= form that LibTorch generates from the functional one: out must
/// have exactly the result dtype.
bool has_generated_out(const Op& op, const Call& call);

/// The dtypes of a call, whatever its shapes are, by all of the steps above.
Outcome<Promoted> promote_call(const Op& op, const Call& call);

}  // namespace upcast
