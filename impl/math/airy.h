// Airy's function Ai. Largest errors measured against mpmath: 1 ulp from -1.8e308 to -4 (3,000
// points). From -4 to -2.3 1.6e-16 near zeros, and 3 ulp elsewhere.
#pragma once

#include <cmath>

#include "impl/math/airy_coefficients.h"
#include "impl/math/airy_phase.h"
#include "impl/math/double_double_functions.h"
#include "impl/math/polynomial.h"

namespace upcast {

namespace internal {

/// zeta(x) = 2/3 x^(3/2) for 0 < x < 1e100. Two doubles, because it is used as an exponent or as a
/// phase.
UPCAST_HOST_DEVICE inline DoubleDouble airy_zeta(double x) {
  return sqrt(DoubleDouble(x)) * DoubleDouble(x) * DoubleDouble(2) / DoubleDouble(3);
}

inline constexpr double kRootPi = 1.7724538509055160273;

/// Ai(-x) for x >= 4, from the sine and cosine of the angle zeta + pi/4. The angle has two doubles,
/// so that the terms do not cancel. Source: DLMF 9.7.9.
UPCAST_HOST_DEVICE inline double airy_oscillating(double x) {
  constexpr double kZetaOf4 = 16.0 / 3;
  constexpr DoubleDouble kTheRootOfPi{0x1.c5bf891b4ef6bp+0, -0x1.618f13eb7ca89p-54};
  constexpr DoubleDouble kQuarterPi{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  constexpr double kFewDigits = 0x1p20;  // below 2^20 two doubles hold the angle to 2^-74
  const double zeta = 2 * x / 3 * std::sqrt(x);
  const SineCosine angle = sine_cosine<Digits::k18>(
      x < kFewDigits ? reduce_angle(airy_zeta(x) + kQuarterPi) : airy_phase(x));
  const double ratio = kZetaOf4 / zeta;
  const double t = 2 * ratio * ratio - 1;
  const double p = chebyshev<kAiryCosine>(t);
  const double q = chebyshev<kAirySine>(t) / zeta;
  const DoubleDouble sum = DoubleDouble(p) * angle.sine - DoubleDouble(q) * angle.cosine;
  return static_cast<double>(sum / (kTheRootOfPi * sqrt(sqrt(DoubleDouble(x)))));
}

}  // namespace internal

/// Ai(x); 0 at both infinities.
UPCAST_HOST_DEVICE inline double airy_ai(double x) {
  if (x > 110) return 0;
  if (x > 1) {
    const DoubleDouble zeta = internal::airy_zeta(x);
    const double tail = chebyshev<kAiryDecaying>(2 * (2.0 / 3) / zeta.hi - 1);
    const double factor = tail / (2 * internal::kRootPi * std::sqrt(std::sqrt(x)));
    // Multiplies by exp(-zeta) in two steps, so that the first product is a normal number.
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
  if (!std::isfinite(x)) return x < 0 ? 0 : x;
  return internal::airy_oscillating(-x);
}

}  // namespace upcast
