// erf, erfc and lgamma of float32: computed in float64 without branches and rounded once. The error
// is at most 0.5002 ulp (erf; the others 0.5001), measured as that of float_exponential.h; fewer
// than 60 results in a million are not the nearest float32.
#pragma once

#include <cmath>

#include "impl/math/branchless.h"
#include "impl/math/lgamma.h"

namespace upcast::branchless {

/// x P(x^2) / Q(x^2) up to 4, from where the result is 1.
inline float erf(float x) {
  const double a = clamp(x, -4, 4);
  const double square = a * a;
  return static_cast<float>(a * (polynomial(kErfAbove, square) / polynomial(kErfBelow, square)));
}

/// exp(-x^2) P(|x|) / Q(|x|), and 2 minus that for negative x; from 10.1 on the result is 0.
inline float erfc(float x) {
  const double a = clamp(magnitude(x), 0, 10.2);
  const double tail = exp_of(-a * a) * (polynomial(kErfcAbove, a) / polynomial(kErfcBelow, a));
  return static_cast<float>(x < 0 ? 2 - tail : tail);
}

/// log(gamma(x)) for x > 0 (and NaN); its zeros at 1 and 2 are factors. Up to 8 a quotient of
/// polynomials, below 1 by lgamma(x + 1) - log(x); from 8 on Stirling's formula, with the continued
/// fraction of its remainder. Both need one quotient and at most one logarithm.
inline float lgamma_of_positive(float x) {
  const double d = x;
  const bool small = d < 1, large = d >= 8;
  const double y = small ? d + 1 : d;
  const double square = y * y;
  // 1/12 / (y + 1/30 / (y + 53/210 / (y + 195/371 / y)))
  constexpr double kA0 = 1.0 / 12, kA1 = 1.0 / 30, kA2 = 53.0 / 210, kA3 = 195.0 / 371;
  const double above =
      large ? kA0 * y * (square + (kA2 + kA3)) : (y - 1) * (y - 2) * polynomial(kLogGammaAbove, y);
  const double below =
      large ? square * (square + (kA1 + kA2 + kA3)) + kA1 * kA3 : polynomial(kLogGammaBelow, y);
  constexpr double kHalfLog2Pi = 0x1.d67f1c864beb5p-1;
  const double logarithm = log_of(d);
  const double stirling = (d - 0.5) * (logarithm - 1) + (kHalfLog2Pi - 0.5);
  const double rest = small ? -logarithm : large ? stirling : 0;
  const double value = rest + above / below;
  return static_cast<float>(d == 0 ? kInfinity : d < 0x1p127 ? value : d * (logarithm - 1));
}

/// Negative x needs the reflection formula, with more than float64 near its zeros: glibc's has
/// that. A branch, so a loop over this is not vectorised: one over `lgamma_of_positive` is.
inline bool lgamma_is_branchless(float x) { return !(x < 0); }
inline float lgamma(float x) {
  return lgamma_is_branchless(x) ? lgamma_of_positive(x)
                                 : static_cast<float>(upcast::lgamma(static_cast<double>(x)));
}

}  // namespace upcast::branchless
