// digamma(x), the logarithmic derivative of gamma.
#pragma once

#include <cmath>
#include <limits>

namespace upcast {

/// In 80-bit arithmetic on x86. digamma(+0) = -inf, digamma(-0) = +inf, NaN at negative integers.
/// Source: DLMF 5.5.2 (recurrence), 5.5.4 (reflection), 5.11.2 (asymptotic series).
inline double digamma(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (std::isinf(x)) return x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
  if (x < 0 && x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
  constexpr long double kPi = 3.141592653589793238462643383279502884L;
  long double shifted = x;
  long double sum = 0;
  if (x < 0) {
    // the period of tan is 1: only the fraction matters, and it is exact
    const long double fraction = shifted - std::floor(shifted);
    sum = -kPi / std::tan(kPi * fraction);
    shifted = 1 - shifted;
  }
  for (; shifted < 20; shifted += 1) sum -= 1 / shifted;
  // Bernoulli numbers B_2k / 2k
  constexpr long double kTerms[] = {1.0L / 12,  -1.0L / 120,     1.0L / 252, -1.0L / 240,
                                    1.0L / 132, -691.0L / 32760, 1.0L / 12,  -3617.0L / 8160};
  const long double inverse_square = 1 / (shifted * shifted);
  long double power = inverse_square;
  long double series = 0;
  for (const long double term : kTerms) {
    series += term * power;
    power *= inverse_square;
  }
  return static_cast<double>(sum + std::log(shifted) - 0.5L / shifted - series);
}

}  // namespace upcast
