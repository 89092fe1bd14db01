// The functions sqrt, rsqrt and pow of complex numbers. Their special values are those of C17,
// Annex G.6.4.
#pragma once

#include "impl/math/complex_division.h"
#include "impl/math/complex_exponential.h"
#include "impl/math/complex_logarithm.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

namespace internal {

/// The square root of a finite number x + i y, without cancellation. Source: Kahan, "Branch cuts
/// for complex elementary functions" (1987), CSQRT.
template <class W>
UPCAST_HOST_DEVICE Scaled<Complex<W>> square_root(W x, W y) {
  if (leading(x) == 0 && leading(y) == 0) return {{W(0), y}, 0};
  int exponent = 0;
  if constexpr (std::is_same_v<W, DoubleDouble>) {
    exponent = excess_exponent(std::fmax(std::abs(x.hi), std::abs(y.hi))) & ~1;
    if (exponent != 0) {
      x = times_power(x, -exponent);
      y = times_power(y, -exponent);
    }
  }
  const double sign = leading(y);
  const W modulus = leading(y) == 0 ? magnitude(x) : sqrt_of<W>(x * x + y * y);
  const W larger = sqrt_of<W>(W(0.5) * (magnitude(x) + modulus));
  const W smaller = magnitude(y) / (W(2) * larger);
  const bool right = !std::signbit(leading(x));
  return {{right ? larger : smaller, with_sign_of(right ? smaller : larger, sign)}, exponent / 2};
}

UPCAST_HOST_DEVICE inline Complex<double> sqrt_special(double x, double y) {
  if (std::isinf(y)) return {HUGE_VAL, y};
  if (std::isnan(x)) return {NAN, NAN};
  if (std::isinf(x))
    return x < 0 ? Complex<double>{std::isnan(y) ? NAN : 0, std::copysign(HUGE_VAL, y)}
                 : Complex<double>{x, std::isnan(y) ? NAN : std::copysign(0.0, y)};
  if (x == 0 && y == 0) return {0, y};
  return {NAN, NAN};
}

}  // namespace internal

template <class R>
UPCAST_HOST_DEVICE Complex<R> sqrt(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z) || (z.re == 0 && z.im == 0))
    return internal::rounded<R>(internal::sqrt_special(z.re, z.im));
  const internal::Scaled<Complex<W>> root = internal::square_root(W(z.re), W(z.im));
  return internal::rounded<R>(root.value, root.exponent);
}

/// rsqrt(z) = 1 / sqrt(z).
template <class R>
UPCAST_HOST_DEVICE Complex<R> rsqrt(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z) || (z.re == 0 && z.im == 0))
    return internal::rounded<R>(
        internal::annex_g_quotient({1, 0}, internal::sqrt_special(z.re, z.im)));
  const internal::Scaled<Complex<W>> root = internal::square_root(W(z.re), W(z.im));
  const W square = root.value.re * root.value.re + root.value.im * root.value.im;
  const R re = internal::rounded<R>(root.value.re / square, -root.exponent);
  const R im = internal::rounded<R>(-root.value.im / square, -root.exponent);
  if (z.im != 0) return {re, im};
  // For a real z, zeros get the signs that the quotient 1 / sqrt(z) gives.
  return z.re > 0 ? Complex<R>{re, R(0)} : Complex<R>{std::copysign(R(0), z.im), im};
}

namespace internal {

/// The product a * b, with the infinities that C17, Annex G.5.1 asks for.
UPCAST_HOST_DEVICE inline Complex<double> annex_g_product(Complex<double> a, Complex<double> b) {
  const Complex<double> product = a * b;
  if (!std::isnan(product.re) || !std::isnan(product.im)) return product;
  const auto box = [](Complex<double>& boxed_one, Complex<double>& other) {
    if (!std::isinf(boxed_one.re) && !std::isinf(boxed_one.im)) return;
    boxed_one = {boxed(boxed_one.re), boxed(boxed_one.im)};
    if (std::isnan(other.re)) other.re = std::copysign(0.0, other.re);
    if (std::isnan(other.im)) other.im = std::copysign(0.0, other.im);
  };
  box(a, b);
  box(b, a);
  const Complex<double> recovered = a * b;
  return {HUGE_VAL * recovered.re, HUGE_VAL * recovered.im};
}

/// A huge finite x is made smaller, so that its product with a logarithm is finite. exp of the
/// product overflows or underflows as before; its phase is meaningless in either case.
UPCAST_HOST_DEVICE inline double bounded(double x) {
  return std::isfinite(x) && std::abs(x) > 0x1p900 ? x * 0x1p-200 : x;
}

/// base^exponent = exp(exponent log(base)) if an operand is infinite or NaN, or the base is 0.
UPCAST_HOST_DEVICE inline Complex<double> power_special(Complex<double> base,
                                                        Complex<double> exponent) {
  const bool finite = is_finite(base) && !(base.re == 0 && base.im == 0);
  exponent = {bounded(exponent.re), bounded(exponent.im)};

  Complex<double> natural = log_special(base.re, base.im);
  if (finite) {
    const Complex<DoubleDouble> l =
        logarithm<Digits::k18>(DoubleDouble(base.re), DoubleDouble(base.im));
    natural = {l.re.hi, l.im.hi};
  }
  const Complex<double> product = annex_g_product(exponent, natural);
  return exp_special(product.re, product.im);
}

/// base^exponent for finite operands, where the base is not 0. The exponent multiplies the error of
/// the logarithm, so the logarithm is computed with twice the digits. A logarithm of a base next to
/// 1 may be so small that even a huge exponent gives a finite power; then the exponent is used as
/// it is.
template <class R>
UPCAST_HOST_DEVICE Complex<R> wide_power(Complex<double> base, Complex<double> exponent) {
  const Complex<DoubleDouble> l =
      logarithm<Digits::k30>(DoubleDouble(base.re), DoubleDouble(base.im));
  const bool is_small = std::fmax(std::abs(l.re.hi), std::abs(l.im.hi)) < 0x1p-100;
  const DoubleDouble a = is_small ? exponent.re : bounded(exponent.re);
  const DoubleDouble b = is_small ? exponent.im : bounded(exponent.im);
  const DoubleDouble growth = a * l.re - b * l.im, angle = a * l.im + b * l.re;
  const Scaled<DoubleDouble> radius = scaled_exp(growth);
  if (angle.hi == 0)
    return {rounded<R>(static_cast<double>(radius.value), radius.exponent),
            static_cast<R>(exponent.re * l.im.hi + exponent.im * l.re.hi)};
  return polar<R>(radius, direction<DoubleDouble>(reduce_angle(angle)));
}

template <class R>
UPCAST_HOST_DEVICE Complex<double> widen(Complex<R> z) {
  return {z.re, z.im};
}

}  // namespace internal

/// base^exponent = exp(exponent log(base)). The power 1 is the base itself, as in NumPy's npy_cpow,
/// because the formula makes NaN of infinities. If a part of the base is 0 or not finite, the
/// square is base * base: it is exact there, and its zeros have the right signs. Integral powers of
/// 2 are exact and fast, because complex ldexp multiplies by them.
template <class R>
UPCAST_HOST_DEVICE Complex<R> pow(Complex<R> base, Complex<R> exponent) {
  if (exponent.re == 1 && exponent.im == 0) return base;
  if (exponent.re == 2 && exponent.im == 0 &&
      (!internal::is_finite(base) || base.re == 0 || base.im == 0))
    return base * base;
  const Complex<double> z = internal::widen(base), w = internal::widen(exponent);
  if (!internal::is_finite(base) || !internal::is_finite(exponent) || (z.re == 0 && z.im == 0))
    return internal::rounded<R>(internal::power_special(z, w));
  if (z.re == 2 && z.im == 0 && w.im == 0 && std::rint(w.re) == w.re && std::abs(w.re) < 1000)
    return {static_cast<R>(std::ldexp(1.0, static_cast<int>(w.re))),
            static_cast<R>(w.re * z.im + w.im)};
  if constexpr (std::is_same_v<R, float>) {
    const Complex<double> l = internal::logarithm<Digits::k18>(z.re, z.im);
    const double size = (std::abs(w.re) + std::abs(w.im)) * (std::abs(l.re) + std::abs(l.im));
    if (size < 0x1p18) {
      const Complex<double> product = w * l;
      return internal::rounded<R>(product.im == 0
                                      ? Complex<double>{std::exp(product.re), product.im}
                                      : internal::exp_special(product.re, product.im));
    }
  }
  return internal::wide_power<R>(z, w);
}

}  // namespace upcast
