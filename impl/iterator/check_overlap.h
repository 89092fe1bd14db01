// Step 2: outputs whose elements share memory, with each other or with an input.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Refuses an output with internal overlap, and one that covers an input partially. Inputs may
/// overlap; so may an output and an input where one of them is not dense (TensorIterator gives up).
std::optional<Rejection> check_overlap(const Iteration& iteration);

/// Refuses an output that covers this input partially.
std::optional<Rejection> check_pair(const Tensor& output, const Tensor& input);

/// As check_overlap(), of a copy.
std::optional<Rejection> check_copy(const Tensor& to, const Tensor& from);

}  // namespace upcast
