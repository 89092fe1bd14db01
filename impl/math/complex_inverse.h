// The functions asin, acos, atan, asinh, acosh and atanh of complex numbers. Source: Kahan, "Branch
// cuts for complex elementary functions, or Much ado about nothing's sign bit" (1987): CASIN,
// CACOS, CATANH. Special values: C17, Annex G.6.1 and G.6.2.
#pragma once

#include "impl/math/complex_power.h"
#include "impl/math/complex_trigonometric.h"

namespace upcast {

namespace internal {

/// Above this size asin and its relatives are computed as logarithms; the relative error of that
/// form is 1 / (4 |z|^2).
inline constexpr double kLargeArgument = 0x1p33;

template <class R>
UPCAST_HOST_DEVICE bool is_large(Complex<R> z) {
  return std::abs(z.re) > R(kLargeArgument) || std::abs(z.im) > R(kLargeArgument);
}

/// The two square roots that Kahan's formulas use, for z = |x| + i |y|: sqrt(1 - z) = re_below - i
/// im_below and sqrt(1 + z) = re_above + i im_above.
template <class W>
struct Roots {
  Complex<W> below, above;
  UPCAST_HOST_DEVICE W real_of_product() const { return below.re * above.re + below.im * above.im; }
  /// The imaginary part of the product of sqrt(1 + z) and the conjugate of sqrt(1 - z). Both of its
  /// terms are at least 0, so they do not cancel.
  UPCAST_HOST_DEVICE W height() const { return below.re * above.im + below.im * above.re; }
};

template <class W>
UPCAST_HOST_DEVICE Complex<W> plain_root(W x, W y) {
  const Scaled<Complex<W>> root = square_root(x, y);
  if (root.exponent == 0) return root.value;
  return {times_power(root.value.re, root.exponent), times_power(root.value.im, root.exponent)};
}

template <class W>
UPCAST_HOST_DEVICE Roots<W> roots_below_and_above_one(double x, double y) {
  const W size(std::abs(x)), height(std::abs(y));
  return {plain_root(W(1) - size, height), plain_root(W(1) + size, height)};
}

/// log(2 |z|).
template <class W>
UPCAST_HOST_DEVICE W log_of_double(double x, double y) {
  return ln2<W>() + logarithm<Digits::k18>(W(x), W(y)).re;
}

UPCAST_HOST_DEVICE inline Complex<double> asinh_special(double x, double y) {
  constexpr double kQuarter = 0.5 * kHalfPi.hi;
  if (std::isinf(y))
    return {std::copysign(HUGE_VAL, x),
            std::isnan(x) ? NAN : std::copysign(std::isinf(x) ? kQuarter : kHalfPi.hi, y)};
  if (std::isinf(x)) return {x, std::isnan(y) ? NAN : std::copysign(0.0, y)};
  return {NAN, std::isnan(x) && y == 0 ? y : NAN};
}

UPCAST_HOST_DEVICE inline Complex<double> acos_special(double x, double y) {
  const Complex<double> asin = swapped(asinh_special(y, x));
  constexpr double kQuarter = 0.5 * kHalfPi.hi;
  if (std::isinf(x) && !std::isnan(y))
    return {std::isinf(y) ? (x < 0 ? 3 * kQuarter : kQuarter) : (x < 0 ? 2 * kHalfPi.hi : 0),
            -asin.im};
  return {x == 0 || std::isinf(y) ? kHalfPi.hi - asin.re : NAN, -asin.im};
}

UPCAST_HOST_DEVICE inline Complex<double> atanh_special(double x, double y) {
  if (std::isinf(y)) return {std::copysign(0.0, x), std::copysign(kHalfPi.hi, y)};
  if (std::isinf(x))
    return {std::copysign(0.0, x), std::isnan(y) ? NAN : std::copysign(kHalfPi.hi, y)};
  return {x == 0 ? x : NAN, NAN};
}

}  // namespace internal

template <class R>
UPCAST_HOST_DEVICE Complex<R> asin(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z))
    return internal::rounded<R>(internal::swapped(internal::asinh_special(y, x)));
  if (std::abs(x) < 0x1p-33 && std::abs(y) < 0x1p-33) return z;  // asin(z) - z is about z^3 / 6
  if (internal::is_large(z))
    return {internal::rounded<R>(internal::atan2_of<Digits::k18>(W(x), W(std::abs(y)))),
            internal::rounded<R>(internal::with_sign_of(internal::log_of_double<W>(x, y), y))};
  const internal::Roots<W> roots = internal::roots_below_and_above_one<W>(x, y);
  return {internal::rounded<R>(internal::atan2_of<Digits::k18>(W(x), roots.real_of_product())),
          internal::rounded<R>(internal::with_sign_of(internal::asinh_of(roots.height()), y))};
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> acos(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) return internal::rounded<R>(internal::acos_special(x, y));
  if (internal::is_large(z))
    return {internal::rounded<R>(internal::atan2_of<Digits::k18>(W(std::abs(y)), W(x))),
            internal::rounded<R>(internal::with_sign_of(internal::log_of_double<W>(x, y), -y))};
  const internal::Roots<W> roots = internal::roots_below_and_above_one<W>(x, y);
  const W opposite = x < 0 ? roots.above.re : roots.below.re;
  const W adjacent = x < 0 ? roots.below.re : roots.above.re;
  return {internal::rounded<R>(W(2) * internal::atan2_of<Digits::k18>(opposite, adjacent)),
          internal::rounded<R>(internal::with_sign_of(internal::asinh_of(roots.height()), -y))};
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> asinh(Complex<R> z) {
  return internal::swapped(asin(internal::swapped(z)));
}

/// acosh(z) is i acos(z) or -i acos(z), whichever lies in the right half plane. If the imaginary
/// part of z is NaN, the sign is not chosen.
template <class R>
UPCAST_HOST_DEVICE Complex<R> acosh(Complex<R> z) {
  const Complex<R> angle = acos(z);
  return {std::abs(angle.im), std::isnan(z.im) ? angle.re : std::copysign(angle.re, z.im)};
}

/// atanh(z) for z = x + i y with x >= 0: the real part is log1p(4 x / ((1 - x)^2 + y^2)) / 4, the
/// imaginary part is atan2(2 y, (1 - x) (1 + x) - y^2) / 2.
template <class R>
UPCAST_HOST_DEVICE Complex<R> atanh(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  const double x = z.re, y = z.im;
  if (!internal::is_finite(z)) return internal::rounded<R>(internal::atanh_special(x, y));
  const double size = std::abs(x), height = std::abs(y);
  if (size < 0x1p-33 && height < 0x1p-33) return z;  // atanh(z) - z is about z^3 / 3
  if (size > 0x1p66 || height > 0x1p66) {            // atanh(z) is 1 / z + i pi / 2
    const int exponent = std::ilogb(std::fmax(size, height));
    const W a = std::ldexp(x, -exponent), b = std::ldexp(y, -exponent);
    // A real part that underflows still gets the sign of z.re.
    return {std::copysign(internal::rounded<R>(a / (a * a + b * b), -exponent), z.re),
            static_cast<R>(std::copysign(kHalfPi.hi, y))};
  }
  if (size == 1 && y == 0) return {static_cast<R>(std::copysign(HUGE_VAL, x)), z.im};
  W real, angle;
  if (size == 1 && height < 0x1p-60) {  // y^2 may underflow, and 2 + y^2 is 2
    real = W(0.5) * (internal::ln2<W>() - internal::log_of<Digits::k18>(W(height)));
    angle = internal::atan2_of<Digits::k18>(W(2), W(-height));
  } else {
    const W below = W(1) - W(size), square = W(height) * W(height);
    real = W(0.25) * internal::log1p_of<Digits::k18>(W(4) * W(size) / (below * below + square));
    angle = internal::atan2_of<Digits::k18>(W(2) * W(height), below * (W(1) + W(size)) - square);
  }
  return {x == 0 ? z.re : internal::rounded<R>(internal::with_sign_of(real, x)),
          internal::rounded<R>(internal::with_sign_of(W(0.5) * angle, y))};
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> atan(Complex<R> z) {
  return internal::swapped(atanh(internal::swapped(z)));
}

}  // namespace upcast
