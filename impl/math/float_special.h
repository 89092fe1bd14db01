// erf, erfc, lgamma and digamma of float32. They are computed in float64 without branches and
// rounded once. The error is at most 0.5002 ulp (lgamma near the zeros of negative x: 0.5009),
// measured as for float_exponential.h. That of digamma is at most 0.50001 ulp, measured against
// float64 for every |x| from 1e-20 on. Fewer than 60 results in a million are not the nearest
// float32.
#pragma once

#include <cmath>

#include "impl/math/branchless.h"
#include "impl/math/digamma.h"
#include "impl/math/double_functions.h"
#include "impl/math/lgamma.h"

namespace upcast::branchless {

/// erf(x) = x P(x^2) / Q(x^2) with polynomials P and Q, for |x| <= 4. For larger |x| the result is
/// 1 or -1.
UPCAST_HOST_DEVICE inline float erf(float x) {
  const double d = x, square = d * d;
  const double value = d * (polynomial<kErfAbove>(square) / polynomial<kErfBelow>(square));
  return at_ends(static_cast<float>(value), x, -4, -1, 4, 1);
}

/// erfc(x) = exp(-x^2) P(|x|) / Q(|x|) with polynomials P and Q, or 2 minus that for negative x.
/// From x = 10.1 on the result is 0.
UPCAST_HOST_DEVICE inline float erfc(float x) {
  const double a = magnitude(x);
  const ExpQuotient e = exp_quotient(-a * a);
  const double tail = e.above * polynomial<kErfcAbove>(a) / (e.below * polynomial<kErfcBelow>(a));
  return at_ends(static_cast<float>(x < 0 ? 2 - tail : tail), x, -10.2F, 2, 10.2F, 0);
}

/// log|gamma(x)|. The result is right only if lgamma_is_right() says so.
///
/// The zeros at 1 and 2 are factors of the formula. With a = |x|: for a < 8, lgamma(a) is a
/// quotient of polynomials, and for a < 1 it is lgamma(a + 1) - log(a). From 8 on it is Stirling's
/// formula, with the continued fraction of its remainder. Negative x are reflected: log(pi) - log|a
/// sin(pi a)| - lgamma(a). So every path needs one logarithm and one quotient only.
UPCAST_HOST_DEVICE inline float lgamma_mostly(float x) {
  const double d = x;
  const double a = magnitude(d);
  const bool negative = d < 0, small = a < 1, large = a >= 8;
  const double y = small ? a + 1 : a;
  const double square = y * y;
  // The continued fraction 1/12 / (y + 1/30 / (y + 53/210 / (y + 195/371 / y))), written as one
  // quotient.
  constexpr double kA0 = 1.0 / 12, kA1 = 1.0 / 30, kA2 = 53.0 / 210, kA3 = 195.0 / 371;
  const double above =
      large ? kA0 * y * (square + (kA2 + kA3)) : (y - 1) * (y - 2) * polynomial<kLogGammaAbove>(y);
  const double below =
      large ? square * (square + (kA1 + kA2 + kA3)) + kA1 * kA3 : polynomial<kLogGammaBelow>(y);
  const double quotient = above / below;

  const double f = a - ((a + kRounder) - kRounder);
  const double sine = magnitude(f) * polynomial<kSinePi>(f * f);
  const double reflected = small ? sine : a * sine;
  const double logarithm = log_of(negative ? reflected : a);

  constexpr double kHalfLog2Pi = 0x1.d67f1c864beb5p-1, kLogPi = 0x1.250d048e7a1bdp+0;
  const double stirling = (a - 0.5) * (logarithm - 1) + (kHalfLog2Pi - 0.5);
  const double rest = small ? -logarithm : large ? stirling : 0;
  const double value = negative ? (kLogPi - logarithm) - quotient : rest + quotient;
  const double finite = f == 0 && d <= 0 ? kInfinity : value;
  return static_cast<float>(a < 0x1p127 ? finite : a * (logarithm - 1));
}

/// Whether `found`, the result of lgamma_mostly(x), is right. It is wrong near the zeros of
/// negative x, where the sum cancels, and for x <= -8, which would need a second logarithm.
UPCAST_HOST_DEVICE inline bool lgamma_is_right(float x, float found) {
  const bool far_from_zero = found >= 0.125F || found <= -0.125F;
  return !(x < 0) || (x > -8 && far_from_zero);
}

UPCAST_HOST_DEVICE inline float lgamma(float x) {
  const float found = lgamma_mostly(x);
  return lgamma_is_right(x, found) ? found
                                   : static_cast<float>(upcast::lgamma(static_cast<double>(x)));
}

/// digamma(x). The result is right only if digamma_is_right() says so.
///
/// Negative x are reflected: digamma(x) = digamma(1 - x) - pi cot(pi x). So with y = x for positive
/// x, and y = 1 - x for negative ones: for y < 8, digamma(y) is a quotient of polynomials, whose
/// zero and pole are factors. From 8 on it is log(z) + T with z = y - 1/2 and a quotient T in z^2.
/// So every path needs one logarithm, and one quotient for the sum of both fractions.
UPCAST_HOST_DEVICE inline float digamma_mostly(float x) {
  const double d = x;
  const bool negative = d < 0;
  const double y = negative ? 1 - d : d;
  const bool large = y >= 8;
  const double z = y - 0.5, square = z * z;
  const double from_zero = (y - kDigammaZero[0]) - kDigammaZero[1];
  const double above =
      large ? polynomial<kDigammaTailAbove>(square) : from_zero * polynomial<kDigammaAbove>(y);
  const double below =
      large ? square * polynomial<kDigammaTailBelow>(square) : y * polynomial<kDigammaBelow>(y);

  const double f = d - ((d + kRounder) - kRounder), f_square = f * f;
  const double cotangent = (f_square - 0.25) * polynomial<kCotangentPiAbove>(f_square);
  const double reflection_above = negative ? cotangent : 0;
  const double reflection_below = negative ? f * polynomial<kCotangentPiBelow>(f_square) : 1;
  const double quotient =
      (above * reflection_below + reflection_above * below) / (below * reflection_below);

  const double value = (large ? log(z) : 0) + quotient;
  const double finite = y < kInfinity ? value : d + d;
  const bool is_pole = negative && (f == 0 || y > 0x1p24);  // beyond 2^24 every x is whole
  return static_cast<float>(is_pole ? kNaN : finite);
}

/// Whether `found`, the result of digamma_mostly(x), is right. It is wrong near the zeros of
/// negative x, where the sum cancels.
UPCAST_HOST_DEVICE inline bool digamma_is_right(float x, float found) {
  const bool near_zero = found < 0x1p-10F && found > -0x1p-10F;
  return !(x < 0) || !near_zero;
}

UPCAST_HOST_DEVICE inline float digamma(float x) {
  const float found = digamma_mostly(x);
  return digamma_is_right(x, found) ? found
                                    : static_cast<float>(upcast::digamma(static_cast<double>(x)));
}

}  // namespace upcast::branchless
