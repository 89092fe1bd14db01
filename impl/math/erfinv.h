// erfinv(x), the inverse of erf.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>

namespace upcast {

/// Two Newton steps from an approximation with 7 correct digits, in 80-bit arithmetic on x86.
/// NaN outside [-1, 1], +-inf at +-1. Source of the start: Giles, "Approximating the erfinv
/// function" (2010), single precision coefficients.
inline double erfinv(double x) {
  if (std::isnan(x) || std::abs(x) > 1) return std::numeric_limits<double>::quiet_NaN();
  if (std::abs(x) == 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
  if (x == 0) return x;
  const long double target = std::abs(x);
  const long double complement = 1 - target;  // exact
  double w = -std::log(static_cast<double>(complement * (1 + target)));
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
  constexpr long double kTwoOverRootPi = 1.128379167095512573896158903121545172L;
  long double y = start * target;
  for (int step = 0; step < 3; ++step) {
    const long double error = target < 0.5L ? std::erf(y) - target : complement - std::erfc(y);
    const long double newton = error / (kTwoOverRootPi * std::exp(-y * y));
    y -= newton / (1 + y * newton);  // Halley's correction
  }
  return static_cast<double>(std::copysign(y, static_cast<long double>(x)));
}

}  // namespace upcast
