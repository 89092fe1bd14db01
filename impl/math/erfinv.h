// erfinv(x), the inverse of erf.
// Largest error measured against mpmath (3,000 points): 0.5 ulp.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>

#include "impl/math/double_double.h"

namespace upcast {

namespace internal {

inline constexpr double kTwoOverRootPi = 1.12837916709551257390;

/// erf(y) for 0 <= y < 6, to about 100 bits. Source: DLMF 7.6.2.
UPCAST_HOST_DEVICE inline DoubleDouble erf_exact(double y) {
  constexpr DoubleDouble kFactor{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};  // is 2 / sqrt(pi)
  const DoubleDouble square = two_product(y, y);
  DoubleDouble term = y;
  DoubleDouble sum = y;
  for (double n = 3; term.hi > 1e-33 * sum.hi; n += 2) {
    term = term * scaled(square, 2) / DoubleDouble(n);
    sum = sum + term;
  }
  return kFactor * exp(-square) * sum;
}

}  // namespace internal

/// erfinv(x): NaN outside [-1, 1], infinite at 1 and -1. Uses Halley's method, whose last step has
/// an exact residual. The start has 7 correct digits, fewer next to 1. Its source is Giles,
/// "Approximating the erfinv function" (2010), with single precision coefficients.
UPCAST_HOST_DEVICE inline double erfinv(double x) {
  if (std::isnan(x) || std::abs(x) > 1) return std::numeric_limits<double>::quiet_NaN();
  if (std::abs(x) == 1) return std::copysign(HUGE_VAL, x);
  const double target = std::abs(x);
  constexpr double kHalfRootPi = 0.88622692545275801365;
  if (target < 1e-9) return x * kHalfRootPi;
  const double complement = 1 - target;
  double w = -std::log(complement * (1 + target));
  double start;
  if (w < 5) {
    w -= 2.5;
    start = 2.81022636e-08;
    for (double c : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                     -0.00417768164, 0.246640727, 1.50140941})
      start = c + start * w;
  } else {
    w = std::sqrt(w) - 3;
    start = -0.000200214257;
    for (double c : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                     0.00943887047, 1.00167406, 2.83297682})
      start = c + start * w;
  }
  double y = start * target;
  bool last = false;
  for (int step = 0; step < 20; ++step) {
    const double error = last ? static_cast<double>(internal::erf_exact(y) - DoubleDouble(target))
                         : target < 0.5 ? std::erf(y) - target
                                        : complement - std::erfc(y);
    const double newton = error / (internal::kTwoOverRootPi * std::exp(-y * y));
    y -= newton / (1 + y * newton);  // Halley's correction
    if (last) break;
    last = std::abs(newton) < 1e-9 * y || step == 18;
  }
  return std::copysign(y, x);
}

}  // namespace upcast
