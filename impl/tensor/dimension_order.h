// The order of dimensions that a set of strides suggests. TensorIterator, and copies that preserve
// a layout, choose by it the strides of what they allocate.
#pragma once

#include <span>
#include <vector>

#include "impl/tensor/tensor.h"

namespace upcast {

/// The order of dimensions, fastest first. It is an insertion sort whose comparison is not
/// transitive. The first operand that prefers an order of two dimensions decides. It prefers one if
/// its two strides are not 0 and differ, or if they are equal and the first has the larger size. If
/// no operand prefers one, the row-major order stays. `strides` has one list for each operand; an
/// empty list prefers nothing.
std::vector<int> dimension_order(const Dims& sizes, std::span<const Dims* const> strides);

/// Whether the order is that of a row-major tensor: the last dimension first.
bool is_row_major(std::span<const int> order);

/// The strides of a dense tensor whose dimensions have this order, fastest first. For the row-major
/// order they are contiguous_strides.
Dims strides_in_order(const Dims& sizes, std::span<const int> order);

}  // namespace upcast
