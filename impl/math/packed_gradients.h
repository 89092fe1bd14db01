// Gradients of activations in float32, for operands that are Half or BFloat16. They round to the
// same 16 bits as the op's functor gives. This was checked for all pairs of operands of each type.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "impl/core/packed_float.h"

namespace upcast::branchless {

/// grad (1 - y^2) for operands of type Packed.
template <class Packed>
inline float tanh_backward(float grad, float y) {
  // grad * y is exact where it is a normal number, so this is rounded once. It may be wrong where
  // it is 0 or NaN, and where grad * y overflows.
  const float once = std::fma(-(grad * y), y, grad);
  const float magnitude = std::abs(once);
  if constexpr (std::is_same_v<Packed, Half>) return magnitude > 0 ? once : grad * (1 - y * y);
  const float size = -y > y ? -y : y;  // a NaN keeps its sign
  const bool is_right = magnitude > 0 && magnitude < std::numeric_limits<float>::infinity();
  return is_right ? once : grad * (1 - size) * (1 + size);
}

}  // namespace upcast::branchless
