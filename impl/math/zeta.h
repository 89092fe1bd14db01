// Hurwitz's zeta function. Largest error measured against mpmath (4,000 points): 2.4 ulp for q > 0;
// for negative q 2 ulp of the largest term.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "impl/math/double_double.h"

namespace upcast {

namespace internal {

/// q^s zeta(s, q), which is the sum of (1 + k/q)^-s over k >= 0, for s > 1 and finite q > 0. The
/// first terms are summed one by one. Source: DLMF 25.11.5 (Euler and Maclaurin).
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE inline double hurwitz_ratio(double s, double q) {
  constexpr std::array<double, 10> kTerms{// B_2k / (2k)!
                                          1.0 / 12,
                                          -1.0 / 720,
                                          1.0 / 30240,
                                          -1.0 / 1209600,
                                          1.0 / 47900160,
                                          -691.0 / 1307674368000.0,
                                          1.0 / 74724249600.0,
                                          -3617.0 / 10670622842880000.0,
                                          43867.0 / 5109094217170944000.0,
                                          -174611.0 / 802857662698291200000.0};
  constexpr double kNegligible = 1e-18;
  DoubleDouble sum = 0;
  double term = 1;
  double k = 0;
  DoubleDouble at = q;
  for (; at.hi < s + 20; ++k) {
    sum = sum + DoubleDouble(term);
    const DoubleDouble next = two_sum(q, k + 1);
    const double ratio = next.hi / q;
    // A power multiplies relative errors by s. So the rounding errors of q + k + 1 and of the
    // quotient are corrected.
    const double error = (std::fma(-ratio, q, next.hi) + next.lo) / next.hi;
    term = std::isinf(ratio) ? 0 : std::pow(ratio, -s) * (1 - s * error);
    at = next;
    if (term < kNegligible * sum.hi) return sum.hi;
  }
  const double a = at.hi;
  double power = s / a;
  double tail = 0;
  for (std::size_t i = 0; i < kTerms.size(); ++i) {
    tail += kTerms[i] * power;
    power *= (s + double(2 * i + 1)) / a * ((s + double(2 * i + 2)) / a);
  }
  return static_cast<double>(sum + two_product(term, a) / (DoubleDouble(s) - DoubleDouble(1)) +
                             DoubleDouble(term * (0.5 + tail)));
}

UPCAST_HOST_DEVICE inline double hurwitz_positive(double s, double q) {
  // For a large q, two terms of the series are enough. Their order avoids underflow and overflow.
  if (q > 1e15) {
    const double half = std::pow(q, -s / 2);
    return half * q * half / (s - 1) * (1 + (s - 1) / 2 / q);
  }
  const double power = std::pow(q, -s);
  if (std::isinf(power)) return power;
  const double ratio = hurwitz_ratio(s, q);
  if (power > 1e-290) return power * ratio;  // for a smaller power, the product would lose digits
  if (!(s * std::log(q) < 1000)) return 0;
  return exp_rounded(log(DoubleDouble(ratio)) - DoubleDouble(s) * log(DoubleDouble(q)));
}

/// zeta(s, q) for q in two doubles. The low part is multiplied by the derivative with respect to q,
/// which is -s zeta(s + 1, q).
UPCAST_HOST_DEVICE inline double hurwitz_above(double s, DoubleDouble q) {
  const double value = hurwitz_positive(s, q.hi);
  return q.lo == 0 ? value : value - s * q.lo * hurwitz_positive(s + 1, q.hi);
}

/// exp(log_factor) (above^-s - below^-s), where above and below are q's distances to the whole
/// numbers below and above it. Midway between these the powers cancel, and near one of them a power
/// may overflow.
UPCAST_HOST_DEVICE inline double difference_of_powers(double s, double q,
                                                      DoubleDouble log_factor = 0) {
  const double floor = std::floor(q);
  // The excess is above - below, which is exact if it is small.
  const double excess = 2 * q - (2 * floor + 1);
  if (excess == 0) return 0;
  const double nearer = excess < 0 ? q - floor : floor + 1 - q;
  const double lack = -std::expm1(-s * std::log1p(std::abs(excess) / nearer));
  const double size = exp_rounded(log_factor + log(DoubleDouble(lack)) -
                                  DoubleDouble(s) * log(DoubleDouble(nearer)));
  return excess < 0 ? size : -size;
}

/// zeta(s, 3/2 + excess / 2) - zeta(s, 3/2 - excess / 2). The two cancel for a small excess. Then
/// the odd terms of the Taylor series at 3/2 are used, whose derivatives are zeta(s + 1), zeta(s +
/// 3), ...
UPCAST_HOST_DEVICE inline double difference_about_the_middle(double s, double excess) {
  const double half = 0.5 * excess;
  if (!(std::abs((s + 6) * half) < 0.05))
    return hurwitz_positive(s, 1.5 + half) - hurwitz_positive(s, 1.5 - half);
  double sum = 0;
  double factor = -s * excess;
  for (int order = 1; order < 9; order += 2) {
    sum += factor * hurwitz_positive(s + order, 1.5);
    factor *= (s + order) * half / (order + 1) * ((s + order + 1) * half / (order + 2));
  }
  return sum;
}

}  // namespace internal

/// Hurwitz's zeta function: the sum of (k + q)^-s over k >= 0. As in LibTorch, it is inf at s = 1
/// and NaN for s < 1. It is inf at the poles q = 0, -1, ..., and NaN at other negative q, unless s
/// is a whole number.
UPCAST_HOST_DEVICE inline double hurwitz_zeta(double s, double q) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(s) || std::isnan(q) || s < 1) return kNaN;
  if (s == 1) return HUGE_VAL;
  if (q <= 0) {
    if (q == std::floor(q)) return HUGE_VAL;
    if (s != std::floor(s)) return kNaN;
    const double sign = std::fmod(s, 2.0) == 0 ? 1 : -1;
    if (std::isinf(s)) return q > -1 ? HUGE_VAL : kNaN;
    // The terms with k + q < 0 have the sizes 1 - frac(q), 2 - frac(q) and so on, up to -q. The
    // other terms start at frac(q).
    const double above = q - std::floor(q);
    const double below = std::ceil(q) - q;
    const double beyond = internal::hurwitz_above(s, two_sum(1, -q));
    if (sign > 0)
      return internal::hurwitz_positive(s, above) + (internal::hurwitz_positive(s, below) - beyond);
    const double leading = internal::difference_of_powers(s, q);
    if (std::isinf(leading)) return leading;
    // The excess is above - below, the difference of q's distances to the whole numbers around it.
    const double excess = 2 * q - (std::floor(q) + std::ceil(q));
    return (leading + internal::difference_about_the_middle(s, excess)) + beyond;
  }
  if (std::isinf(s)) return q < 1 ? HUGE_VAL : q == 1 ? 1 : 0;
  if (std::isinf(q)) return 0;
  return internal::hurwitz_positive(s, q);
}

}  // namespace upcast
