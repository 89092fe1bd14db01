// log |gamma(x)|.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "impl/math/double_double.h"

namespace upcast {

/// The C library's, without its global sign (the reentrant form).
UPCAST_HOST_DEVICE inline double lgamma(double x) {
#if defined(__CUDA_ARCH__)
  return ::lgamma(x);  // no global sign there
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

/// log gamma(1 + a) with about 100 bits, for exponents; a >= 0. Source: DLMF 5.5.1 (recurrence),
/// 5.11.1 (Stirling's series).
UPCAST_HOST_DEVICE inline DoubleDouble lgamma1p_exact(double a) {
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
  DoubleDouble z = two_sum(a, 1);
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

/// log of the multivariate gamma function of p dimensions. Source: DLMF 35.3.5.
UPCAST_HOST_DEVICE inline double multivariate_lgamma(double x, std::int64_t p) {
  constexpr DoubleDouble kLogPi{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57};
  const double n = static_cast<double>(p);
  DoubleDouble sum = DoubleDouble(n * (n - 1) / 4) * kLogPi;
  for (std::int64_t j = 0; j < p; ++j) {
    const double term = lgamma(x - static_cast<double>(j) / 2);
    if (!std::isfinite(term)) return term;
    sum = sum + DoubleDouble(term);
  }
  return static_cast<double>(sum);
}

}  // namespace upcast
