// Two divisions of complex numbers: LibTorch's, and the one of Annex G of C.
#pragma once

#include <cmath>

#include "impl/core/complex.h"
#include "impl/core/host_device.h"

namespace upcast {

template <class T>
UPCAST_HOST_DEVICE T divide(T a, T b) {
  return a / b;
}
/// The quotient of complex numbers by Smith's method, as c10::complex computes it.
template <class T>
UPCAST_HOST_DEVICE Complex<T> divide(Complex<T> a, Complex<T> b) {
  using internal::unfused;
  const T abs_re = std::abs(b.re);
  const T abs_im = std::abs(b.im);
  if (abs_re >= abs_im) {
    if (abs_re == 0 && abs_im == 0) return {a.re / abs_re, a.im / abs_im};
    const T ratio = b.im / b.re;
    const T scale = T(1) / (b.re + b.im * ratio);
    return {(a.re + unfused(a.im * ratio)) * scale, (a.im - unfused(a.re * ratio)) * scale};
  }
  const T ratio = b.re / b.im;
  const T scale = T(1) / (b.re * ratio + b.im);
  return {(unfused(a.re * ratio) + a.im) * scale, (unfused(a.im * ratio) - a.re) * scale};
}

namespace internal {

/// 1 if `a` is infinite, 0 if it is finite, with the sign of a (Annex G's boxing of infinities).
UPCAST_HOST_DEVICE inline double boxed(double a) {
  return std::copysign(std::isinf(a) ? 1.0 : 0.0, a);
}

/// a / b by Smith's method (1962), with the infinities and zeros that C17, Annex G.5.1 asks for. It
/// rounds several times, so it is only used for special values.
UPCAST_HOST_DEVICE inline Complex<double> annex_g_quotient(Complex<double> a, Complex<double> b) {
  double re, im;
  if (std::abs(b.re) < std::abs(b.im)) {
    const double ratio = b.re / b.im, divisor = b.re * ratio + b.im;
    re = (a.re * ratio + a.im) / divisor;
    im = (a.im * ratio - a.re) / divisor;
  } else {
    const double ratio = b.im / b.re, divisor = b.im * ratio + b.re;
    re = (a.im * ratio + a.re) / divisor;
    im = (a.im - a.re * ratio) / divisor;
  }
  if (!std::isnan(re) || !std::isnan(im)) return {re, im};
  const bool finite_a = std::isfinite(a.re) && std::isfinite(a.im);
  if (b.re == 0 && b.im == 0 && !(std::isnan(a.re) && std::isnan(a.im))) {
    const double infinity = std::copysign(HUGE_VAL, b.re);
    return {infinity * a.re, infinity * a.im};
  }
  if ((std::isinf(a.re) || std::isinf(a.im)) && std::isfinite(b.re) && std::isfinite(b.im)) {
    const double c = boxed(a.re), d = boxed(a.im);
    return {HUGE_VAL * (c * b.re + d * b.im), HUGE_VAL * (d * b.re - c * b.im)};
  }
  if ((std::isinf(b.re) || std::isinf(b.im)) && finite_a) {
    const double c = boxed(b.re), d = boxed(b.im);
    return {0 * (a.re * c + a.im * d), 0 * (a.im * c - a.re * d)};
  }
  return {re, im};
}

}  // namespace internal

}  // namespace upcast
