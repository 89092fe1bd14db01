// Steps 7 to 9 choose the strides of outputs that are allocated or resized.
#pragma once

#include "impl/iterator/operand.h"

namespace upcast {

/// The order of dimensions, fastest first, that the operands' strides suggest, as
/// reorder_dimensions of TensorIterator gives it.
std::vector<int> reorder_dimensions(const Iteration& iteration);

/// The strides, in elements, of an output that is allocated or resized. They are those of the fast
/// set-up if one applies. Otherwise the output is dense, in the order of reorder_dimensions.
Dims output_strides(const Iteration& iteration);

}  // namespace upcast
