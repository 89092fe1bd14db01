// Step 3: the shape that all operands broadcast to.
#pragma once

#include <optional>
#include <span>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Merges a shape into `merged`, right-aligned: sizes are equal, or one of them is 1 and yields to
/// the other, to 0 too. False where they do not fit.
bool broadcast_into(Dims& merged, const Dims& shape);

/// Strides (elements) of a tensor seen in a broadcast shape: 0 along every repeated dimension.
Dims broadcast_strides(const Dims& sizes, const Dims& strides, const Dims& shape);

/// Computes the shape that operands broadcast to, from left to right. Outputs take part only if
/// they cannot be resized.
std::optional<Rejection> compute_shape(Iteration& iteration);

/// Step 4: an output of another shape is marked to be resized, or refused.
std::optional<Rejection> mark_resized_outputs(Iteration& iteration);

}  // namespace upcast
