// log |gamma(x)|.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "impl/math/double_double_functions.h"

namespace upcast {

/// log|gamma(x)| from the C library. Uses lgamma_r, because lgamma writes the global variable
/// signgam, which threads share.
UPCAST_HOST_DEVICE inline double lgamma(double x) {
#if defined(__CUDA_ARCH__)
  return ::lgamma(x);  // CUDA's lgamma writes no global variable
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

namespace internal {

/// log gamma(z) with about 100 bits, for 1e-200 < z < 1e300. Source: DLMF 5.5.1 (recurrence),
/// 5.11.1 (Stirling's series).
UPCAST_HOST_DEVICE inline DoubleDouble lgamma_of_positive(DoubleDouble z) {
  struct Ratio {
    double numerator, denominator;
  };
  constexpr std::array<Ratio, 12> kTerms{{{1, 12},
                                          {-1, 360},
                                          {1, 1260},
                                          {-1, 1680},
                                          {1, 1188},
                                          {-691, 360360},
                                          {1, 156},
                                          {-3617, 122400},
                                          {43867, 244188},
                                          {-174611, 125400},
                                          {77683, 5796},
                                          {-236364091, 1506960}}};
  constexpr DoubleDouble kHalfLogTwoPi{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
  DoubleDouble product = 1;
  for (; z.hi < 30; z = z + DoubleDouble(1)) product = product * z;
  const DoubleDouble inverse = DoubleDouble(1) / z;
  const DoubleDouble square = inverse * inverse;
  DoubleDouble series = 0;
  for (std::size_t i = kTerms.size(); i-- > 0;)
    series =
        series * square + DoubleDouble(kTerms[i].numerator) / DoubleDouble(kTerms[i].denominator);
  return (z - DoubleDouble(0.5)) * log(z) - z + kHalfLogTwoPi + series * inverse - log(product);
}

/// log|gamma(z)| with about 100 bits, near its poles too. Requires 1e-200 < |z| < 1e300, and that z
/// is no pole. Source: DLMF 5.5.3 (reflection).
UPCAST_HOST_DEVICE inline DoubleDouble lgamma_exact(DoubleDouble z) {
  if (z.hi > 0) return lgamma_of_positive(z);
  constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  constexpr DoubleDouble kLogPi{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57};
  const double whole = std::rint(z.hi);
  const DoubleDouble rest = two_sum(z.hi - whole, z.lo);  // the difference z.hi - whole is exact
  const DoubleDouble sine = sine_cosine<Digits::k30>(reduce_by_parts(kPi * rest)).sine;
  return kLogPi - log(sine.hi < 0 ? -sine : sine) - lgamma_of_positive(DoubleDouble(1) - z);
}

}  // namespace internal

/// log|gamma(x)|. Below -2 it has zeros, near which the C library's function is off by 8 ulp; so it
/// is computed there in sums of two doubles.
UPCAST_HOST_DEVICE inline double lgamma_precise(double x) {
  if (!(x < -2 && x > -0x1p52) || x == std::floor(x)) return lgamma(x);
  const double result = static_cast<double>(internal::lgamma_exact(x));
  // Very near a zero, even 100 bits of the terms are too few. The C library has a table of the
  // zeros.
  return std::abs(result) < 0x1p-10 ? lgamma(x) : result;
}

/// log gamma(1 + a) with about 100 bits, for a >= 0. Meant as an exponent of exp.
UPCAST_HOST_DEVICE inline DoubleDouble lgamma1p_exact(double a) {
  return internal::lgamma_of_positive(two_sum(a, 1));
}

/// The logarithm of the multivariate gamma function of p dimensions. Source: DLMF 35.3.5. Its terms
/// cancel, and x - j / 2 is inexact near poles; sums of two doubles make both errors small enough.
UPCAST_HOST_DEVICE inline double multivariate_lgamma(double x, std::int64_t p) {
  constexpr DoubleDouble kLogPi{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57};
  if (p == 1) return lgamma(x);
  const double n = static_cast<double>(p);
  if (!(std::abs(x) > 1e-200 && std::abs(x) < 1e300)) {
    // If x is that large, x - j / 2 rounds to x. If x is that small and j is even, x - j / 2 is
    // next to the pole -m with m = j / 2. There gamma is 1 / (m! |x|), DLMF 5.2.1.
    const bool small = std::abs(x) < 1;
    double sum = n * (n - 1) / 4 * kLogPi.hi;
    for (std::int64_t j = 0; j < p; ++j) {
      const double half = static_cast<double>(j) / 2;
      sum += small && j % 2 == 0 ? -std::log(std::abs(x)) - lgamma(half + 1) : lgamma(x - half);
    }
    return sum;
  }
  DoubleDouble sum = DoubleDouble(n * (n - 1) / 4) * kLogPi;
  for (std::int64_t j = 0; j < p; ++j) {
    const DoubleDouble z = two_sum(x, -static_cast<double>(j) / 2);
    if (z.lo == 0 && z.hi <= 0 && z.hi == std::floor(z.hi)) return HUGE_VAL;
    sum = sum + internal::lgamma_exact(z);
  }
  return static_cast<double>(sum);
}

}  // namespace upcast
