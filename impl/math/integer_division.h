// Integer division with three kinds of rounding, and float division as Python defines it.
#pragma once

#include <cmath>
#include <type_traits>

#include "impl/math/wrapping.h"

namespace upcast {

/// a / b, rounded toward zero. The least integer divided by -1 wraps to itself. b must not be 0.
template <class T>
UPCAST_HOST_DEVICE constexpr T divide_toward_zero(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return wrapping_neg(a);
  }
  return static_cast<T>(a / b);
}

/// The remainder of a / b with the sign of a. b must not be 0.
template <class T>
UPCAST_HOST_DEVICE constexpr T remainder_toward_zero(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T(0);
  }
  return static_cast<T>(a % b);
}

/// a / b, rounded toward minus infinity. b must not be 0.
template <class T>
UPCAST_HOST_DEVICE constexpr T divide_toward_floor(T a, T b) {
  const T quotient = divide_toward_zero(a, b);
  const T rest = remainder_toward_zero(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(quotient - 1) : quotient;
}

/// The remainder of a / b with the sign of b. b must not be 0.
template <class T>
UPCAST_HOST_DEVICE constexpr T remainder_toward_floor(T a, T b) {
  const T rest = remainder_toward_zero(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
}

/// Floor division of floats, as Python's `//`. Source: _float_div_mod in CPython's
/// Objects/floatobject.c, which ATen copies.
template <class T>
UPCAST_HOST_DEVICE T float_floor_divide(T a, T b) {
  if (b == 0) return a / b;
  T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= T(1);
  if (quotient == 0) return std::copysign(T(0), a / b);
  T floored = std::floor(quotient);
  if (quotient - floored > T(0.5)) floored += T(1);
  return floored;
}

/// The remainder of floats with the sign of b, as Python's `%`. remainder(-1, inf) is inf.
template <class T>
UPCAST_HOST_DEVICE T float_remainder(T a, T b) {
  const T rest = std::fmod(a, b);
  return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

}  // namespace upcast
