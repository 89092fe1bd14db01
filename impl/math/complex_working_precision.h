// The working precision W of the complex functions. complex64 is computed in double, complex128 in
// sums of two doubles (k18 of double_double_functions.h), so that each part is rounded about once.
// An algorithm is written once, over W. This header has the real functions that the algorithms use,
// for both kinds of W.
#pragma once

#include <cmath>
#include <type_traits>

#include "impl/core/complex.h"
#include "impl/math/double_double_functions.h"

namespace upcast {

namespace internal {

template <class R>
using WorkingPrecision = std::conditional_t<std::is_same_v<R, float>, double, DoubleDouble>;

UPCAST_HOST_DEVICE inline double leading(double a) { return a; }
UPCAST_HOST_DEVICE inline double leading(DoubleDouble a) { return a.hi; }

template <class W>
UPCAST_HOST_DEVICE W magnitude(W a) {
  return std::signbit(leading(a)) ? -a : a;
}

/// `size` with the sign of `sign`; size must be at least 0.
template <class W>
UPCAST_HOST_DEVICE W with_sign_of(W size, double sign) {
  return std::signbit(sign) ? -size : size;
}

/// The power of two by which to divide a pair of numbers, so that their squares are normal numbers.
/// `size` is the larger of the two. The power is no larger than needed, because the smaller number
/// may come near the subnormals.
UPCAST_HOST_DEVICE inline int excess_exponent(double size) {
  if (size > 0x1p-400 && size < 0x1p500) return 0;
  if (size == 0) return 0;
  return std::ilogb(size) + (size < 1 ? 400 : -498);
}

/// a * 2^exponent. If the result is subnormal, the low half of a sum of two doubles may be lost.
UPCAST_HOST_DEVICE inline double times_power(double a, int exponent) {
  return std::ldexp(a, exponent);
}
UPCAST_HOST_DEVICE inline DoubleDouble times_power(DoubleDouble a, int exponent) {
  return {std::ldexp(a.hi, exponent), std::ldexp(a.lo, exponent)};
}

/// a * 2^exponent, rounded once to R, also if the result is subnormal. Zeros keep their signs.
template <class R>
UPCAST_HOST_DEVICE R rounded(double a, int exponent = 0) {
  return static_cast<R>(exponent == 0 ? a : std::ldexp(a, exponent));
}
template <class R>
UPCAST_HOST_DEVICE R rounded(DoubleDouble a, int exponent = 0) {
  const double scaled = exponent == 0 ? a.hi : std::ldexp(a.hi, exponent);
  if (!(std::abs(scaled) < 0x1p-1021) || scaled == 0 || exponent >= 0 || exponent < -2000)
    return scaled;
  // A subnormal result needs rounding before the scaling: a is rounded to a multiple of 2^(-1074 -
  // exponent), which becomes the result's last place.
  const double step = std::ldexp(1.0, -1074 - exponent);
  const double anchor = std::copysign(0x1.8p52 * step, a.hi);
  const DoubleDouble sum = two_sum(anchor, a.hi);
  const double rest = sum.lo + a.lo;
  const double up = rest > 0.5 * step ? step : rest < -0.5 * step ? -step : 0;
  return std::copysign(std::ldexp(std::abs((sum.hi - anchor) + up), exponent), a.hi);
}

template <class R, class W>
UPCAST_HOST_DEVICE Complex<R> rounded(Complex<W> z, int exponent = 0) {
  return {rounded<R>(z.re, exponent), rounded<R>(z.im, exponent)};
}

/// A number value * 2^exponent.
template <class W>
struct Scaled {
  W value;
  int exponent;
};

/// exp(x) as a scaled value. For W = double the exponent is always 0: results are rounded to float,
/// whose range is much smaller than double's.
template <class W>
UPCAST_HOST_DEVICE Scaled<W> scaled_exp(W x) {
  if constexpr (std::is_same_v<W, double>) {
    return {std::exp(x), 0};
  } else {
    const ScaledDoubleDouble e = exp_scaled<Digits::k18>(x);
    return {e.value, e.exponent};
  }
}

/// exp(x) and expm1(x), only for an x for which neither overflows nor underflows.
template <class W>
UPCAST_HOST_DEVICE W exp_of(W x) {
  const Scaled<W> e = scaled_exp(x);
  if constexpr (std::is_same_v<W, double>)
    return e.value;
  else
    return times_power(e.value, e.exponent);
}

template <class W>
UPCAST_HOST_DEVICE W expm1_of(W x) {
  if constexpr (std::is_same_v<W, double>)
    return std::expm1(x);
  else
    return expm1<Digits::k18>(x);
}

template <Digits D, class W>
UPCAST_HOST_DEVICE W log_of(W x) {
  if constexpr (std::is_same_v<W, double>)
    return std::log(x);
  else
    return log<D>(x);
}

template <Digits D, class W>
UPCAST_HOST_DEVICE W log1p_of(W x) {
  if constexpr (std::is_same_v<W, double>)
    return std::log1p(x);
  else
    return log1p<D>(x);
}

template <Digits D, class W>
UPCAST_HOST_DEVICE W atan2_of(W y, W x) {
  if constexpr (std::is_same_v<W, double>)
    return std::atan2(y, x);
  else
    return atan2<D>(y, x);
}

template <class W>
UPCAST_HOST_DEVICE W sqrt_of(W x) {
  if constexpr (std::is_same_v<W, double>)
    return std::sqrt(x);
  else
    return x.hi == 0 ? x : sqrt(x);
}

/// asinh(x) for x >= 0, without cancellation near 0.
template <class W>
UPCAST_HOST_DEVICE W asinh_of(W x) {
  if constexpr (std::is_same_v<W, double>) {
    return std::asinh(x);
  } else {
    const DoubleDouble square = x * x;
    return log1p<Digits::k18>(x + square / (DoubleDouble(1) + sqrt(DoubleDouble(1) + square)));
  }
}

/// The sine and cosine of an angle.
template <class W>
struct Direction {
  W sine, cosine;
};

template <class W>
UPCAST_HOST_DEVICE Direction<W> direction(ReducedAngle angle) {
  if constexpr (std::is_same_v<W, double>) {
    const double sine = std::sin(angle.rest.hi), cosine = std::cos(angle.rest.hi);
    const bool odd = (angle.quarters & 1) != 0;
    const Direction<double> ahead{odd ? cosine : sine, odd ? -sine : cosine};
    return angle.quarters >= 2 ? Direction<double>{-ahead.sine, -ahead.cosine} : ahead;
  } else {
    const SineCosine both = sine_cosine<Digits::k18>(angle);
    return {both.sine, both.cosine};
  }
}

/// The sine and cosine of an angle in radians, which must be finite.
template <class W>
UPCAST_HOST_DEVICE Direction<W> direction(double angle) {
  if constexpr (std::is_same_v<W, double>)
    return {std::sin(angle), std::cos(angle)};
  else
    return direction<W>(reduce_angle(angle));
}

template <class W>
UPCAST_HOST_DEVICE W ln2() {
  return static_cast<W>(kLn2);
}
template <class W>
UPCAST_HOST_DEVICE W half_pi() {
  return static_cast<W>(kHalfPi);
}

template <class R>
UPCAST_HOST_DEVICE bool is_finite(Complex<R> z) {
  return std::isfinite(z.re) && std::isfinite(z.im);
}

}  // namespace internal

}  // namespace upcast
