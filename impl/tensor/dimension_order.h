// The order of dimensions that a set of strides suggests: how TensorIterator, and copies that
// preserve a layout, choose the strides of what they allocate.
#pragma once

#include <span>
#include <vector>

#include "impl/tensor/tensor.h"

namespace upcast {

/// The order of dimensions, fastest first. It is an insertion sort whose comparison is not
/// transitive. The first operand that prefers an order decides: its two strides are not 0 and
/// differ, or they are equal and the first has the larger size. If no operand prefers one, the
/// row-major order stays. Each operand has one stride a dimension; an empty one prefers nothing.
std::vector<int> dimension_order(const Dims& sizes, std::span<const Dims* const> strides);

/// Whether the order is last to first, that of a row-major tensor.
bool is_row_major(std::span<const int> order);

/// Strides of a dense tensor whose dimensions have that order, fastest first. For the row-major
/// order they are contiguous_strides.
Dims strides_in_order(const Dims& sizes, std::span<const int> order);

}  // namespace upcast
