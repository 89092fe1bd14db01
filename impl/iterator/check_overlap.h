// Step 2: outputs whose elements share memory, with each other or with an input.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Refuses an output with internal overlap, and one that covers a part of an input. Inputs may
/// overlap each other. An output and an input may overlap if one of them is not dense, because
/// TensorIterator does not check that.
std::optional<Rejection> check_overlap(const Iteration& iteration);

/// Refuses an output that covers a part of this input.
std::optional<Rejection> check_pair(const Tensor& output, const Tensor& input);

/// As check_overlap(), for a copy of `from` to `to`.
std::optional<Rejection> check_copy(const Tensor& to, const Tensor& from);

}  // namespace upcast
