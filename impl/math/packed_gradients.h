// Gradients of activations in float32, for operands that are Half or BFloat16. They round to the
// same 16 bits as the op's functor gives. This was checked once, for all pairs of operands within
// the limits. cpu_engine_test.cc checks 256 of grad with every y.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "impl/core/packed_float.h"

namespace upcast::branchless {

/// The gradient of tanh from its result y, grad (1 - y^2), for operands whose codes, without their
/// signs, are at most `limits`.
template <class Packed>
struct TanhGradient;

/// For a finite grad and |y| <= 1. grad * y is exact, so the gradient is rounded once. Only the
/// sign of a zero may be wrong.
template <>
struct TanhGradient<Half> {
  static constexpr std::array<std::uint16_t, 2> limits{0x7bff, 0x3c00};
  static float value(float grad, float y) {
    return std::copysign(std::fma(-(grad * y), y, grad), grad);
  }
};

/// For a finite grad and |y| < 4096. 1 - y^2 is exact for |y| >= 1/32. For a smaller y, the
/// gradient rounds to grad.
template <>
struct TanhGradient<BFloat16> {
  static constexpr std::array<std::uint16_t, 2> limits{0x7f7f, 0x457f};
  static float value(float grad, float y) { return grad * std::fma(-y, y, 1.0F); }
};

}  // namespace upcast::branchless
