// silu of complex numbers and its gradient, scaled so that no intermediate value overflows. If an
// operand is infinite or NaN, they follow LibTorch's formulas, which do not recover infinities.
#pragma once

#include "impl/math/complex_division.h"
#include "impl/math/complex_exponential.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

namespace internal {

/// A number value * 2^exponent with 1 <= |value| < 2, or 0. Products and sums of such numbers stay
/// in range.
template <class W>
struct Wide {
  W value;
  int exponent;
};

template <class W>
UPCAST_HOST_DEVICE Wide<W> wide(W value, int exponent = 0) {
  if (leading(value) == 0) return {value, 0};
  const int shift = std::ilogb(leading(value));
  return {times_power(value, -shift), exponent + shift};
}
template <class W>
UPCAST_HOST_DEVICE Wide<W> operator*(Wide<W> a, Wide<W> b) {
  return wide(a.value * b.value, a.exponent + b.exponent);
}
template <class W>
UPCAST_HOST_DEVICE Wide<W> operator/(Wide<W> a, Wide<W> b) {
  return wide(a.value / b.value, a.exponent - b.exponent);
}
template <class W>
UPCAST_HOST_DEVICE Wide<W> operator-(Wide<W> a) {
  return {-a.value, a.exponent};
}
template <class W>
UPCAST_HOST_DEVICE Wide<W> operator+(Wide<W> a, Wide<W> b) {
  if (leading(a.value) == 0) return b;
  if (leading(b.value) == 0) return a;
  const bool first = a.exponent > b.exponent;
  const Wide<W> larger = first ? a : b, smaller = first ? b : a;
  const int gap = larger.exponent - smaller.exponent;
  if (gap > 200) return larger;
  return wide(larger.value + times_power(smaller.value, -gap), larger.exponent);
}
template <class W>
UPCAST_HOST_DEVICE Wide<W> operator-(Wide<W> a, Wide<W> b) {
  return a + -b;
}

/// The logistic function s = 1 / (1 + exp(-z)), and its derivative s (1 - s) = 1 / (2 + 2 cosh(z)).
template <class W>
struct LogisticAndSlope {
  Complex<Wide<W>> value, slope;
};

/// Computes the logistic function and its derivative. Real and imaginary parts are computed
/// separately, as in logistic(). With t = exp(-|x|), p = 1 - t, d = 2 cos(y / 2)^2 and m = p^2 + 2
/// t d, the derivative is t ((1 + t^2) d - p^2 -+ i p (1 + t) sin(y)) / m^2.
template <class W>
UPCAST_HOST_DEVICE LogisticAndSlope<W> logistic_and_slope(double x, double y) {
  const Scaled<W> exponential = scaled_exp<W>(W(-std::abs(x)));
  const Wide<W> t = wide(exponential.value, exponential.exponent);
  if (std::abs(x) > 44) {  // exp(-|x|)^2 is lost when added to exp(-|x|)
    const Direction<W> d = direction<W>(y);
    const Wide<W> re = t * wide(d.cosine), im = t * wide(d.sine);
    if (x < 0) return {{re, im}, {re, im}};
    return {{wide(W(1)) - re, im}, {re, -im}};
  }
  const Wide<W> one = wide(W(1)), p = wide(-expm1_of<W>(W(-std::abs(x))));
  const Direction<W> half = direction<W>(0.5 * y);
  // Half of a subnormal y may round to 0, so the sine of a tiny angle y / 2 is held as y * 2^-1.
  const Wide<W> sine = std::abs(y) < 0x1p-500 ? wide(W(y), -1) : wide(half.sine);
  const Wide<W> cosine = wide(half.cosine), two = wide(W(2));
  const Wide<W> d = two * (cosine * cosine);
  const Wide<W> m = p * p + two * (t * d);
  const Wide<W> im = two * (t * (sine * cosine)) / m;
  const Wide<W> slope_im = p * (one + t) * im / m;
  return {{(x < 0 ? t * (d - p) : p + t * d) / m, im},
          {t * ((one + t * t) * d - p * p) / (m * m), x < 0 ? slope_im : -slope_im}};
}

/// LibTorch's formula for 1 / (1 + exp(-z)) times `factor`, with each step rounded.
template <class R>
UPCAST_HOST_DEVICE Complex<R> logistic_formula(Complex<R> factor, Complex<R> z) {
  return divide(factor, Complex<R>{1, 0} + exp(-z));
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> silu_backward_formula(Complex<R> grad, Complex<R> z) {
  const Complex<R> one{1, 0};
  const Complex<R> sigmoid = logistic_formula(one, z);
  return grad * sigmoid * (one + z * (one - sigmoid));
}

/// `result`, with its zeros given the signs that `formula` has in the same parts.
template <class R>
UPCAST_HOST_DEVICE Complex<R> with_zeros_of(Complex<R> result, Complex<R> formula) {
  return {result.re == 0 ? std::copysign(result.re, formula.re) : result.re,
          result.im == 0 ? std::copysign(result.im, formula.im) : result.im};
}

/// x / 2. If that lies halfway between two subnormal numbers, rounds in the given direction.
UPCAST_HOST_DEVICE inline double half_toward(double x, double direction) {
  const double half = 0.5 * x, other = x - half;
  if (half == other || direction == 0) return half;
  return (direction > 0) == (other > half) ? other : half;
}

/// silu of a very small number: z / 2 + z^2 / 4 - z^4 / 48. The later terms matter only where z / 2
/// lies halfway between two subnormal numbers; they decide which way it rounds.
UPCAST_HOST_DEVICE inline Complex<double> silu_of_tiny(double x, double y) {
  if (x == 0) return {x, 0.5 * y};
  // The sign of the real part's next term: x^2 - y^2 from z^2, or 4 x^4 from -z^4 if that is 0.
  const double along = std::abs(x) < std::abs(y) ? -1 : 1;
  // The sign of the imaginary part's next term, 2 x y from z^2.
  const double across = y == 0 ? 0 : std::copysign(1.0, x) * std::copysign(1.0, y);
  return {half_toward(x, along), half_toward(y, across)};
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> silu_of_finite(Complex<R> z) {
  using W = WorkingPrecision<R>;
  const double re = z.re, im = z.im, larger = std::fmax(std::abs(re), std::abs(im));
  if (larger < 0x1p-600) return rounded<R>(silu_of_tiny(re, im));
  const Scaled<Complex<W>> s = logistic<W>(re, im);
  const int exponent = excess_exponent(larger);
  const Complex<W> x{std::ldexp(re, -exponent), std::ldexp(im, -exponent)};
  return rounded<R>(s.value * x, s.exponent + exponent);
}

}  // namespace internal

/// silu(z) = z / (1 + exp(-z)).
template <class R>
UPCAST_HOST_DEVICE Complex<R> silu(Complex<R> z) {
  if (!internal::is_finite(z)) return internal::logistic_formula(z, z);
  const Complex<R> result = internal::silu_of_finite(z);
  if (result.re != 0 && result.im != 0) return result;
  return internal::with_zeros_of(result, internal::logistic_formula(z, z));
}

/// The gradient of silu: grad (s + z s') with s = 1 / (1 + exp(-z)). No part of the derivative is
/// lost before it is multiplied by a large gradient. If a result overflows, both of its parts have
/// the right signs.
template <class R>
UPCAST_HOST_DEVICE Complex<R> silu_backward(Complex<R> grad, Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  using Wide = internal::Wide<W>;
  if (!internal::is_finite(z) || !internal::is_finite(grad))
    return internal::silu_backward_formula(grad, z);
  const auto wide = [](double x) { return internal::wide(W(x)); };
  const internal::LogisticAndSlope<W> s = internal::logistic_and_slope<W>(z.re, z.im);
  const Complex<Wide> x{wide(z.re), wide(z.im)}, g{wide(grad.re), wide(grad.im)};
  const Complex<Wide> derivative = s.value + x * s.slope;
  const Complex<Wide> product = g * derivative;
  const Complex<R> result{internal::rounded<R>(product.re.value, product.re.exponent),
                          internal::rounded<R>(product.im.value, product.im.exponent)};
  if (result.re != 0 && result.im != 0) return result;
  return internal::with_zeros_of(result, internal::silu_backward_formula(grad, z));
}

}  // namespace upcast
