// Step 2 finds outputs whose elements share memory, with each other or with an input.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Refuses an output with internal overlap, and an output that partly covers an input. Inputs may
/// overlap each other. A tensor that is not dense may overlap an input or output unnoticed, because
/// TensorIterator does not check such tensors.
std::optional<Rejection> check_overlap(const Iteration& iteration);

/// Refuses an output that covers a part of `input`.
std::optional<Rejection> check_pair(const Tensor& output, const Tensor& input);

/// Makes the checks of check_overlap() for a copy of `from` to `to`.
std::optional<Rejection> check_copy(const Tensor& to, const Tensor& from);

}  // namespace upcast
