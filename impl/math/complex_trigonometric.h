// The functions sinh, cosh, tanh, sin, cos, tan and sinc of complex numbers. Their special values
// are those of C17, Annex G.6.2.
#pragma once

#include "impl/math/complex_exponential.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

namespace internal {

/// sinh and cosh of one argument, each to be multiplied by 2^exponent.
template <class W>
struct HyperbolicPair {
  W sine, cosine;
  int exponent;
};

template <class W>
UPCAST_HOST_DEVICE HyperbolicPair<W> hyperbolic_pair(W x) {
  if constexpr (std::is_same_v<W, double>) {
    return {std::sinh(x), std::cosh(x), 0};
  } else {
    const DoubleDouble size = magnitude(x);
    if (size.hi > 44) {  // exp(x) + exp(-x) rounds to exp(x)
      const Scaled<W> power = scaled_exp(size);
      return {with_sign_of(power.value, x.hi), power.value, power.exponent - 1};
    }
    const DoubleDouble growth = expm1_of(size), inverse = W(1) / (W(1) + growth);
    return {with_sign_of(scaled(growth + growth * inverse, 0.5), x.hi),
            scaled(W(1) + growth + inverse, 0.5), 0};
  }
}

UPCAST_HOST_DEVICE inline Complex<double> sinh_special(double x, double y) {
  if (std::isinf(x)) {
    if (y == 0) return {x, y};
    if (std::isfinite(y)) return {x * std::cos(y), HUGE_VAL * std::sin(y)};
    return {HUGE_VAL, NAN};
  }
  return {x == 0 ? x : NAN, y == 0 ? y : NAN};
}

UPCAST_HOST_DEVICE inline Complex<double> cosh_special(double x, double y) {
  if (std::isinf(x)) {
    if (y == 0) return {HUGE_VAL, y * std::copysign(1.0, x)};
    if (std::isfinite(y)) return {HUGE_VAL * std::cos(y), x * std::sin(y)};
    return {HUGE_VAL, NAN};
  }
  return {NAN, x == 0 ? 0 : y == 0 ? y : NAN};
}

UPCAST_HOST_DEVICE inline Complex<double> tanh_special(double x, double y) {
  if (std::isinf(x))
    return {std::copysign(1.0, x),
            std::copysign(0.0, std::isfinite(y) && y != 0 ? std::sin(y) * std::cos(y) : y)};
  return {x == 0 ? x : NAN, y == 0 ? y : NAN};
}

/// Swaps real and imaginary part. With it f(i z) follows from f(z) for odd functions, as sin from
/// sinh.
template <class R>
UPCAST_HOST_DEVICE Complex<R> swapped(Complex<R> z) {
  return {z.im, z.re};
}

}  // namespace internal

/// sinh(z) = sinh(x) cos(y) + i cosh(x) sin(y) for z = x + i y.
template <class R>
UPCAST_HOST_DEVICE Complex<R> sinh(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) return internal::rounded<R>(internal::sinh_special(x, y));
  const internal::HyperbolicPair<W> h = internal::hyperbolic_pair<W>(x);
  if (y == 0) return {x == 0 ? z.re : internal::rounded<R>(h.sine, h.exponent), z.im};
  const internal::Direction<W> d = internal::direction<W>(y);
  return {x == 0 ? static_cast<R>(x * internal::leading(d.cosine))
                 : internal::rounded<R>(h.sine * d.cosine, h.exponent),
          internal::rounded<R>(h.cosine * d.sine, h.exponent)};
}

/// cosh(z) = cosh(x) cos(y) + i sinh(x) sin(y) for z = x + i y.
template <class R>
UPCAST_HOST_DEVICE Complex<R> cosh(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) return internal::rounded<R>(internal::cosh_special(x, y));
  const internal::HyperbolicPair<W> h = internal::hyperbolic_pair<W>(x);
  if (y == 0) return {internal::rounded<R>(h.cosine, h.exponent), std::signbit(x) ? -z.im : z.im};
  const internal::Direction<W> d = internal::direction<W>(y);
  return {internal::rounded<R>(h.cosine * d.cosine, h.exponent),
          x == 0 ? static_cast<R>(x * internal::leading(d.sine))
                 : internal::rounded<R>(h.sine * d.sine, h.exponent)};
}

/// tanh(z) = (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2) for z = x + i y. Source:
/// Kahan (1987), CTANH.
template <class R>
UPCAST_HOST_DEVICE Complex<R> tanh(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) return internal::rounded<R>(internal::tanh_special(x, y));
  if (std::abs(x) < 0x1p-35 && std::abs(y) < 0x1p-35) return z;  // tanh(z) - z is about z^3 / 3
  const internal::Direction<W> d = internal::direction<W>(y);
  const W product = d.sine * d.cosine;
  if (std::abs(x) > 22) {  // tanh(|x|) = 1 - 2 exp(-2 |x|) rounds to 1
    const internal::Scaled<W> power = internal::scaled_exp<W>(-2 * std::fmin(std::abs(x), 2000.0));
    return {static_cast<R>(std::copysign(1.0, x)),
            y == 0 ? z.im : internal::rounded<R>(W(4) * product * power.value, power.exponent)};
  }
  const internal::HyperbolicPair<W> h = internal::hyperbolic_pair<W>(x);
  const W divisor = h.sine * h.sine + d.cosine * d.cosine;
  return {x == 0 ? z.re : internal::rounded<R>(h.sine * h.cosine / divisor),
          y == 0 ? z.im : internal::rounded<R>(product / divisor)};
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> sin(Complex<R> z) {
  return internal::swapped(sinh(internal::swapped(z)));
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> cos(Complex<R> z) {
  return cosh(Complex<R>{-z.im, z.re});
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> tan(Complex<R> z) {
  return internal::swapped(tanh(internal::swapped(z)));
}

namespace internal {

/// Reduces the angle pi x for |x| < 2^52. Quarter turns are counted before the multiplication by
/// pi, where they are exact.
UPCAST_HOST_DEVICE inline ReducedAngle reduce_multiple_of_pi(double x) {
  const double turn = x - 2 * std::rint(0.5 * x);  // drops whole turns before pi makes it inexact
  const double quarters = std::rint(2 * turn);
  return {scaled(kHalfPi, 2) * DoubleDouble(turn - 0.5 * quarters), static_cast<int>(quarters) & 3};
}

}  // namespace internal

/// sinc(z) = sin(pi z) / (pi z), which is 1 at 0.
template <class R>
UPCAST_HOST_DEVICE Complex<R> sinc(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  // The imaginary part has x as a factor. A tiny x is scaled up, so that no intermediate value
  // underflows.
  const int up = std::abs(z.re) < 0x1p-700 ? 256 : 0;
  const double x = std::ldexp(static_cast<double>(z.re), up), y = z.im;
  constexpr double kPi = 2 * kHalfPi.hi;
  if (!internal::is_finite(z)) {
    const Complex<double> sine = internal::swapped(
        internal::sinh_special(kPi * y, std::isfinite(x) ? kPi * (x - 2 * std::rint(x / 2)) : NAN));
    return internal::rounded<R>(internal::annex_g_quotient(sine, {kPi * x, kPi * y}));
  }
  const double larger = std::fmax(std::abs(x), std::abs(y));
  if (larger == 0) return {R(1), R(0)};
  if (larger < 0x1p-33 && x != 0 && y != 0)
    return {R(1), static_cast<R>(-kPi * kPi / 3 * std::ldexp(x, -up) * y)};
  const int exponent = std::ilogb(larger);
  const W re = std::ldexp(x, -exponent), im = std::ldexp(y, -exponent);
  internal::Direction<W> d = internal::direction<W>(internal::reduce_multiple_of_pi(x));
  if (x == std::rint(x)) d.sine = 0;
  if (internal::leading(d.cosine) == 0) d.cosine = 0;
  // The height is limited: above the limit the result overflows anyway.
  constexpr double kLargestHeight = std::is_same_v<W, double> ? 220.0 : 900.0;
  const double height = std::copysign(std::fmin(std::abs(y), kLargestHeight), y);
  const internal::HyperbolicPair<W> h =
      internal::hyperbolic_pair<W>(W(2) * internal::half_pi<W>() * W(height));
  const Complex<W> sine{d.sine * h.cosine, d.cosine * h.sine};
  const W divisor = W(2) * internal::half_pi<W>() * (re * re + im * im);
  Complex<R> result = {
      internal::rounded<R>((sine.re * re + sine.im * im) / divisor, h.exponent - exponent),
      internal::rounded<R>((sine.im * re - sine.re * im) / divisor, h.exponent - exponent - up)};
  // Zeros get the signs that the quotient gives.
  const double cosine = internal::leading(d.cosine), real_sine = internal::leading(d.sine);
  if (x == 0)
    result.im = std::copysign(R(0), z.im);
  else if (y == 0)
    result.im = static_cast<R>((cosine * y - real_sine * (y / x)) / x);
  else if (result.im == 0)  // a zero with the sign of (slope at x) * y
    result.im =
        std::copysign(result.im, static_cast<R>((cosine > real_sine / (kPi * x) ? y : -y) * x));
  return result;
}

}  // namespace upcast
