// exp and log of float64 without branches (branchless.h). Largest errors over 400,000 arguments in
// each of nine ranges, against libquadmath: exp 0.84 ulp, log 0.81.
#pragma once

#include "impl/math/branchless.h"

namespace upcast::branchless {

/// ln(2) in two parts: the first has 32 bits, so its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

/// x = k ln(2) + r. 2^k is applied in two steps, so that a subnormal result is rounded once.
inline double exp(double x) {
  const double d = clamp(x, -750, 720);
  const double rounded = d * kLog2E + kRounder;
  const double k = rounded - kRounder;
  const double high = d - k * kLn2High, low = k * kLn2Low;
  const double r = high - low;
  // What rounding r lost goes back in where it is of use: to the first power.
  const double lost = (high - r) - low;
  const double value = 1 + (r + (lost + r * r * polynomial(kExpm1Double, r)));
  const double half = 0.5 * k + kRounder;
  const double rest = from_bits((bits(rounded) - bits(half) + 1023) << 52);
  return value * power_of_two(half) * rest;
}

/// log(1 + f) = f - (f^2/2 - s (f^2/2 + R)) with s = f / (2 + f): only R, which is small, and the
/// last sums are rounded.
inline double log(double x) {
  const bool tiny = x < 0x1p-1022;
  const Binade b = binade(tiny ? x * 0x1p54 : x);
  const double k = tiny ? b.exponent - 54 : b.exponent;
  const double f = b.excess;
  const double s = f / (2 + f), square = s * s;
  const double half_square = 0.5 * f * f;
  const double rest = s * (half_square + square * polynomial(kLogDouble, square));
  const double value = k * kLn2High - ((half_square - (rest + k * kLn2Low)) - f);
  return at_edges(value, x, 0, -kInfinity);
}

}  // namespace upcast::branchless
