// silu of complex numbers and its derivative, scaled so that nothing overflows in between. Where an
// operand is infinite or NaN they are the formulas that LibTorch has, without recovery of
// infinities.
#pragma once

#include "impl/math/complex_division.h"
#include "impl/math/complex_exponential.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

namespace internal {

/// z = value * 2^exponent, the larger part of value between 1 and 2 unless z is 0.
template <class W>
UPCAST_HOST_DEVICE Scaled<Complex<W>> normalized(double re, double im) {
  const double larger = std::fmax(std::abs(re), std::abs(im));
  const int exponent = larger == 0 ? 0 : std::ilogb(larger);
  return {{std::ldexp(re, -exponent), std::ldexp(im, -exponent)}, exponent};
}

/// 1 / (1 + exp(-z)) times `factor`, each step rounded.
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

/// `result`, its zeros with the signs of `formula`'s.
template <class R>
UPCAST_HOST_DEVICE Complex<R> with_zeros_of(Complex<R> result, Complex<R> formula) {
  return {result.re == 0 ? std::copysign(result.re, formula.re) : result.re,
          result.im == 0 ? std::copysign(result.im, formula.im) : result.im};
}

}  // namespace internal

/// z / (1 + exp(-z)).
template <class R>
UPCAST_HOST_DEVICE Complex<R> silu(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z)) return internal::logistic_formula(z, z);
  const internal::Scaled<Complex<W>> s = internal::logistic<W>(z.re, z.im);
  const double re = z.re, im = z.im;
  const int exponent = internal::excess_exponent(std::fmax(std::abs(re), std::abs(im)));
  const Complex<W> x{std::ldexp(re, -exponent), std::ldexp(im, -exponent)};
  const Complex<R> result = internal::rounded<R>(s.value * x, s.exponent + exponent);
  if (result.re != 0 && result.im != 0) return result;
  return internal::with_zeros_of(result, internal::logistic_formula(z, z));
}

/// grad s (1 + z (1 - s)) with s = 1 / (1 + exp(-z)), so 1 - s = 1 / (1 + exp(z)).
template <class R>
UPCAST_HOST_DEVICE Complex<R> silu_backward(Complex<R> grad, Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z) || !internal::is_finite(grad))
    return internal::silu_backward_formula(grad, z);
  const internal::Scaled<Complex<W>> s = internal::logistic<W>(z.re, z.im);
  const internal::Scaled<Complex<W>> rest = internal::logistic<W>(-double(z.re), -double(z.im));
  const internal::Scaled<Complex<W>> x = internal::normalized<W>(z.re, z.im);
  const internal::Scaled<Complex<W>> g = internal::normalized<W>(grad.re, grad.im);
  Complex<W> inner = x.value * rest.value;
  int exponent = x.exponent + rest.exponent;
  if (exponent < 200) {  // else 1 does not count
    inner = Complex<W>{W(1), W(0)} + Complex<W>{internal::times_power(inner.re, exponent),
                                                internal::times_power(inner.im, exponent)};
    exponent = 0;
  }
  const Complex<R> result =
      internal::rounded<R>(g.value * s.value * inner, g.exponent + s.exponent + exponent);
  if (result.re != 0 && result.im != 0) return result;
  return internal::with_zeros_of(result, internal::silu_backward_formula(grad, z));
}

}  // namespace upcast
