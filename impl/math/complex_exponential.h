// The functions exp, exp2, expm1 and sigmoid of complex numbers. Their special values are those of
// C17, Annex G.6.3.1.
#pragma once

#include "impl/math/complex_division.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

namespace internal {

/// exp(x + i y) = radius * (cosine + i sine) for special values: the radius exp(x) is 0 or
/// infinite, or a part is NaN or infinite. `sine` and `cosine` are those of a finite y, or NaN.
UPCAST_HOST_DEVICE inline Complex<double> exp_special(double x, double y, double sine,
                                                      double cosine) {
  if (y == 0) return {std::exp(x), y};
  if (std::isfinite(y)) return {std::exp(x) * cosine, std::exp(x) * sine};
  if (std::isinf(x))
    return x > 0 ? Complex<double>{x, y - y} : Complex<double>{0, std::copysign(0.0, y)};
  return {NAN, NAN};
}

UPCAST_HOST_DEVICE inline Complex<double> exp_special(double x, double y) {
  return exp_special(x, y, std::sin(y), std::cos(y));
}

template <class R, class W>
UPCAST_HOST_DEVICE Complex<R> polar(Scaled<W> radius, Direction<W> d) {
  return {rounded<R>(radius.value * d.cosine, radius.exponent),
          rounded<R>(radius.value * d.sine, radius.exponent)};
}

}  // namespace internal

template <class R>
UPCAST_HOST_DEVICE Complex<R> exp(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) return internal::rounded<R>(internal::exp_special(x, y));
  const internal::Scaled<W> radius = internal::scaled_exp<W>(x);
  if (y == 0) return {internal::rounded<R>(radius.value, radius.exponent), z.im};
  return internal::polar<R>(radius, internal::direction<W>(y));
}

/// exp2(z) = 2^x (cos(y ln 2) + i sin(y ln 2)) for z = x + i y.
template <class R>
UPCAST_HOST_DEVICE Complex<R> exp2(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) {
    const internal::Direction<double> d =
        std::isfinite(y) ? internal::direction<double>(reduce_multiple_of_ln2(y))
                         : internal::Direction<double>{NAN, NAN};
    return internal::rounded<R>(internal::exp_special(x, y, d.sine, d.cosine));
  }
  internal::Scaled<W> radius;
  if constexpr (std::is_same_v<W, double>) {
    radius = {std::exp2(x), 0};
  } else {
    const double k = std::rint(std::fmin(std::fmax(x, -4000.0), 4000.0));
    radius =
        internal::scaled_exp<W>(std::abs(x) > 4000 ? DoubleDouble(0) : kLn2 * DoubleDouble(x - k));
    radius.exponent += static_cast<int>(k);
  }
  if (y == 0) return {internal::rounded<R>(radius.value, radius.exponent), z.im};
  // For angles of few turns, ln(2) in one double is precise enough.
  if constexpr (std::is_same_v<W, double>)
    if (std::abs(y) < 4096) return internal::polar<R>(radius, internal::direction<W>(y * kLn2.hi));
  return internal::polar<R>(radius, internal::direction<W>(reduce_multiple_of_ln2(y)));
}

/// expm1(z) = expm1(x) cos(y) - 2 sin(y/2)^2 + i exp(x) sin(y) for z = x + i y. Nothing cancels
/// near 0.
template <class R>
UPCAST_HOST_DEVICE Complex<R> expm1(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) {
    const double half = std::sin(y / 2);
    return internal::rounded<R>(
        Complex<double>{std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)});
  }
  if (y == 0 && !(x > 44))
    return {internal::rounded<R>(internal::expm1_of<W>(std::fmax(x, -44.0))), z.im};
  const internal::Direction<W> d = internal::direction<W>(y);
  const internal::Scaled<W> radius = internal::scaled_exp<W>(x);
  if (std::abs(x) > 44) {  // 1 + exp(x) rounds to the larger term
    const Complex<R> power =
        y == 0 ? Complex<R>{internal::rounded<R>(radius.value, radius.exponent), z.im}
               : internal::polar<R>(radius, d);
    return {x < 0 ? R(-1) : power.re, power.im};
  }
  const internal::Direction<W> half = internal::direction<W>(0.5 * y);
  const W growth = internal::expm1_of<W>(x);
  const R real = internal::rounded<R>(growth * d.cosine - W(2) * (half.sine * half.sine));
  // A real part of 0 comes from cos(y) - 1, which is negative but underflows.
  return {real == 0 ? R(-0.0) : real, internal::rounded<R>(radius.value * d.sine, radius.exponent)};
}

namespace internal {

/// The logistic function 1 / (1 + exp(-x - i y)) of finite numbers. With t = exp(-|x|), p = 1 - t
/// and q = 2 t cos(y/2)^2, the squared modulus of 1 + t exp(-i y) is p^2 + 2 q. So nothing cancels,
/// not even near the poles i pi (2 k + 1).
template <class W>
UPCAST_HOST_DEVICE Scaled<Complex<W>> logistic(double x, double y) {
  if (std::abs(x) > 44) {  // 1 + exp(-|x|) rounds to 1
    const Direction<W> d = direction<W>(y);
    const Scaled<W> t = scaled_exp<W>(-std::abs(x));
    if (x < 0) return {{t.value * d.cosine, t.value * d.sine}, t.exponent};
    return {{W(1), times_power(t.value * d.sine, t.exponent)}, 0};
  }
  const bool near_one = std::abs(x) < 0.25;
  const W power = near_one ? -expm1_of<W>(-std::abs(x)) : exp_of<W>(-std::abs(x));
  const W p = near_one ? power : W(1) - power, t = near_one ? W(1) - power : power;
  const Direction<W> half = direction<W>(0.5 * y);
  const W doubled = W(2) * (half.cosine * half.cosine), q = t * doubled;
  const W modulus = p * p + W(2) * q;
  const W real = x < 0 ? t * (doubled - p) : p + q;
  return {{real / modulus, W(2) * (t * (half.sine * half.cosine)) / modulus}, 0};
}

}  // namespace internal

/// sigmoid(z) = 1 / (1 + exp(-z)).
template <class R>
UPCAST_HOST_DEVICE Complex<R> sigmoid(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z)) {
    const Complex<double> power = internal::exp_special(-z.re, -z.im);
    return internal::rounded<R>(internal::annex_g_quotient({1, 0}, {1 + power.re, 0 + power.im}));
  }
  const internal::Scaled<Complex<W>> s = internal::logistic<W>(z.re, z.im);
  const Complex<R> result = internal::rounded<R>(s.value, s.exponent);
  return {result.re, z.im == 0 ? R(0) : result.im};
}

}  // namespace upcast
