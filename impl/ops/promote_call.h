// Decides the dtypes of a call, or refuses the call because of them.
#pragma once

#include "impl/ops/catalogue.h"

namespace upcast {

/// The elementwise operands of a call, in the order of the spec. For a function of dtypes they are
/// all tensors and numbers. An operand that is left out has dtype kUndefined.
OperandTypes operand_types(const Op& op, const Call& call);

/// Makes the checks that come before any shape is read: undefined operands, and the op's own check.
/// Returns the refusal, if any.
std::optional<Rejection> check_operands(const Op& op, const Call& call, const OperandTypes& types);

/// The common and the result dtype, by the op's promotion kind.
Outcome<Promoted> compute_call_types(const Op& op, const Call& call, const OperandTypes& types);

/// Refuses a common dtype for which the op has no kernel.
std::optional<Rejection> check_kernel(const Op& op, DType common);

/// Whether the call uses an out= form that LibTorch generates from the functional form. out must
/// then have exactly the result dtype.
bool has_generated_out(const Op& op, const Call& call);

/// The dtypes of a call, by all the steps that this header declares. Shapes play no part.
Outcome<Promoted> promote_call(const Op& op, const Call& call);

}  // namespace upcast
