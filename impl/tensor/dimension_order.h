// The order of dimensions that a set of strides suggests: how TensorIterator, and copies that
// preserve a layout, choose the strides of what they allocate.
#pragma once

#include <span>
#include <vector>

#include "impl/tensor/tensor.h"

namespace upcast {

/// Dimensions, fastest first. An insertion sort whose comparison is not transitive: the first
/// operand with an opinion (two strides that are not 0 and differ, or equal ones of which the
/// first has the larger size) decides; without opinion the row-major order stays. Each operand has
/// one stride a dimension; an empty one has no opinion.
std::vector<int> dimension_order(const Dims& sizes, std::span<const Dims* const> strides);

/// True for last to first, the order of a row-major tensor.
bool is_row_major(std::span<const int> order);

/// Dense strides in an order, fastest first. Row-major order: contiguous_strides.
Dims strides_in_order(const Dims& sizes, std::span<const int> order);

}  // namespace upcast
