// Strides of tensor operands, in elements.
#pragma once

#include <vector>

#include "cases/case.h"

namespace upcast {

/// Of a dense tensor whose dimensions lie in an order, fastest first. A size of 0 counts as 1.
Dims dense_strides(const Dims& sizes, const std::vector<int>& order);
/// Dense, the first dimension fastest: column-major.
Dims reversed_strides(const Dims& sizes);
Dims times(Dims strides, std::int64_t factor);

/// Row-major strides become empty ones, as in the notation.
void set_strides(Operand& operand, Dims strides);

}  // namespace upcast
