// Modified Bessel functions of the first kind I0 and I1, and their products with exp(-|x|). Largest
// error measured against mpmath (3,000 points a function): 3.0 ulp.
#pragma once

#include <cmath>

#include "impl/math/bessel_coefficients.h"
#include "impl/math/polynomial.h"

namespace upcast {

namespace internal {

/// The power series of I without its leading power of x. It sums (x/2)^2k / (k! (k + order)!); all
/// terms are positive. Source: DLMF 10.25.2.
UPCAST_HOST_DEVICE inline double bessel_i_series(double x, int order) {
  const double square = x * x / 4;
  double sum = 1;
  for (int k = x < 2 ? 12 : 30; k >= 1; --k) sum = 1 + sum * square / (double(k) * (k + order));
  return sum;
}

/// exp(x) * factor. exp(x) alone may overflow, if the factor is small.
UPCAST_HOST_DEVICE inline double exp_times(double x, double factor) {
  const double half = std::exp(x / 2);
  return x < 700 ? std::exp(x) * factor : half * factor * half;
}

/// exp(-x) sqrt(x) I(x) for x >= 8, as a Chebyshev sum in t = 16 / x - 1, which is in [-1, 1].
UPCAST_HOST_DEVICE inline double bessel_i0_large(double x) {
  return chebyshev<kBesselI0Large>(16 / x - 1);
}
UPCAST_HOST_DEVICE inline double bessel_i1_large(double x) {
  return chebyshev<kBesselI1Large>(16 / x - 1);
}

}  // namespace internal

UPCAST_HOST_DEVICE inline double bessel_i0(double x) {
  x = std::abs(x);
  if (x < 8) return internal::bessel_i_series(x, 0);
  return std::isinf(x) ? x : internal::exp_times(x, internal::bessel_i0_large(x) / std::sqrt(x));
}

UPCAST_HOST_DEVICE inline double bessel_i0e(double x) {
  x = std::abs(x);
  if (x < 8) return std::exp(-x) * internal::bessel_i_series(x, 0);
  return internal::bessel_i0_large(x) / std::sqrt(x);
}

/// Odd.
UPCAST_HOST_DEVICE inline double bessel_i1(double x) {
  const double size = std::abs(x);
  if (size < 8) return x / 2 * internal::bessel_i_series(size, 1);
  if (std::isinf(x)) return x;
  return std::copysign(internal::exp_times(size, internal::bessel_i1_large(size) / std::sqrt(size)),
                       x);
}

UPCAST_HOST_DEVICE inline double bessel_i1e(double x) {
  const double size = std::abs(x);
  if (size < 8) return x / 2 * std::exp(-size) * internal::bessel_i_series(size, 1);
  return std::copysign(internal::bessel_i1_large(size) / std::sqrt(size), x);
}

}  // namespace upcast
