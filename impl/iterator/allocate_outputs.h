// Steps 7 to 9: the strides of outputs that are allocated or resized.
#pragma once

#include "impl/iterator/operand.h"

namespace upcast {

/// The order of dimensions, fastest first, that the operands suggest: reorder_dimensions of
/// TensorIterator.
std::vector<int> reorder_dimensions(const Iteration& iteration);

/// Strides (in elements) of an output that is allocated or resized: those of the fast set-up where
/// it applies, else dense strides in the order of reorder_dimensions.
Dims output_strides(const Iteration& iteration);

}  // namespace upcast
