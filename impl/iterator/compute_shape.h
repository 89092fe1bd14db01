// Step 3 computes the shape that all operands broadcast to.
#pragma once

#include <optional>
#include <span>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Merges a shape into `merged`, aligned at the last dimension. Two sizes must be equal, or one of
/// them 1, which yields to the other, even to 0. Returns false if the shapes do not fit.
bool broadcast_into(Dims& merged, const Dims& shape);

/// The strides, in elements, of a tensor that is broadcast to `shape`: 0 along every repeated
/// dimension.
Dims broadcast_strides(const Dims& sizes, const Dims& strides, const Dims& shape);

/// Computes the shape that operands broadcast to, from left to right. Outputs take part only if
/// they cannot be resized.
std::optional<Rejection> compute_shape(Iteration& iteration);

/// Step 4. If an output has another shape than the computed one, marks it to be resized, or refuses
/// it.
std::optional<Rejection> mark_resized_outputs(Iteration& iteration);

}  // namespace upcast
