// Broadcasting: the shape step of TensorIterator::build.
#pragma once

#include <span>

#include "impl/core/rejection.h"
#include "impl/tensor/tensor.h"

namespace upcast {

/// Merges shapes from left to right, right-aligned: sizes are equal, or one of them is 1 and
/// yields to the other, to 0 too. No shape: zero-dim.
Outcome<Dims> compute_shape(std::span<const Dims* const> shapes);

/// Strides (elements) of a tensor seen in a broadcast shape: 0 along every repeated dimension.
Dims broadcast_strides(const Tensor& tensor, const Dims& shape);

}  // namespace upcast
