// Airy's function Ai.
// Largest error measured against mpmath (3,000 points): 3 ulp, near zeros and left of them 1.6e-16.
#pragma once

#include <cmath>

#include "impl/math/airy_coefficients.h"
#include "impl/math/double_double.h"
#include "impl/math/polynomial.h"

namespace upcast {

namespace internal {

/// 2/3 x^(3/2), x > 0: its error is that of the exponent and of the phase.
UPCAST_HOST_DEVICE inline DoubleDouble airy_zeta(double x) {
  return sqrt(DoubleDouble(x)) * DoubleDouble(x) * DoubleDouble(2) / DoubleDouble(3);
}

inline constexpr double kRootPi = 1.7724538509055160273;

/// Ai(-x), x >= 4, for a given sine and cosine of zeta. Source: DLMF 9.7.9.
UPCAST_HOST_DEVICE inline double airy_oscillating(double x, double zeta, double sine,
                                                  double cosine) {
  constexpr double kZetaOf4 = 16.0 / 3;
  constexpr double kRootTwo = 1.4142135623730950488;
  const double ratio = kZetaOf4 / zeta;
  const double t = 2 * ratio * ratio - 1;
  const double p = chebyshev<kAiryCosine>(t);
  const double q = chebyshev<kAirySine>(t) / zeta;
  return (p * (cosine + sine) + q * (sine - cosine)) /
         (kRootTwo * kRootPi * std::sqrt(std::sqrt(x)));
}

}  // namespace internal

/// 0 at both infinities. Below -1e15 the phase, and with it the sign, is lost.
UPCAST_HOST_DEVICE inline double airy_ai(double x) {
  if (x > 110) return 0;
  if (x > 1) {
    const DoubleDouble zeta = internal::airy_zeta(x);
    const double tail = chebyshev<kAiryDecaying>(2 * (2.0 / 3) / zeta.hi - 1);
    const double factor = tail / (2 * internal::kRootPi * std::sqrt(std::sqrt(x)));
    // in two steps: the first stays a normal number
    const double half = std::exp(-zeta.hi / 2);
    return half * (factor * (1 - zeta.lo)) * half;
  }
  if (x >= -4) {
    const double t = 2 * x - (2 * std::floor(x) + 1);
    if (x >= 0) return chebyshev<kAiryFrom0>(x < 1 ? t : 1.0);
    return x >= -1   ? chebyshev<kAiryFromMinus1>(t)
           : x >= -2 ? chebyshev<kAiryFromMinus2>(t)
           : x >= -3 ? chebyshev<kAiryFromMinus3>(t)
                     : chebyshev<kAiryFromMinus4>(t);
  }
  if (!(x > -1e100)) return x < 0 ? 0 : x;
  const DoubleDouble zeta = internal::airy_zeta(-x);
  const double sine = std::sin(zeta.hi);
  const double cosine = std::cos(zeta.hi);
  const double small_sine = std::sin(zeta.lo);
  const double small_cosine = std::cos(zeta.lo);
  return internal::airy_oscillating(-x, zeta.hi, sine * small_cosine + cosine * small_sine,
                                    cosine * small_cosine - sine * small_sine);
}

}  // namespace upcast
