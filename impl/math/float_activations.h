// Activation functions of float32. They are computed in float64 without branches and rounded once,
// as in float_exponential.h. A result that underflows to zero keeps its sign.
#pragma once

#include "impl/math/float_exponential.h"
#include "impl/math/float_special.h"

namespace upcast::branchless {

/// Below this x the activations are -0: x exp(x), and x times the normal distribution function, are
/// smaller than half of the least float32.
inline constexpr float kLeftOfAll = -110;

UPCAST_HOST_DEVICE inline float silu(float x) {
  const ExpQuotient e = exp_quotient(x);
  const auto value = static_cast<float>(x * e.above / (e.above + e.below));
  return at_ends(value, x, kLeftOfAll, -0.0F, 100, x);
}

/// Where x P(x) of the two functions below has reached its ends: x, and -0.
inline constexpr double kGateEnd = 15;

/// What gelu computes first: |x| up to the end, its square, and exp(-square / 2).
template <class Real>
struct GeluStart {
  Real x, size, square;
  Quotient<Real> decay;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline GeluStart<Real> gelu_start(const Real& x) {
  const Real size = magnitude_up_to(x, kGateEnd), square = size * size;
  return {x, size, square, half_decay(square)};
}
/// gelu(x) = x P(x) for the normal distribution function P, as the positive part of x less |x|
/// P(-|x|). The square in the exponent is exact. For a tiny x, P(-|x|) is a little less than half,
/// so that the result rounds to the right side: it is nearer to 0 than x / 2 for negative x, and
/// farther for positive x.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real wide_gelu(const GeluStart<Real>& g) {
  const Real start =
      fused(g.size, kElement<kNormalTailAbove, 1>,
            fused(g.square, kElement<kNormalTailAbove, 2>, kElement<kNormalTailAbove, 0>));
  const Real above = g.decay.above * in_steps<kNormalTailAboveSteps>(start, g.square);
  const Real below = g.decay.below * in_steps<kNormalTailBelowSteps>(
                                         g.size + kElement<kNormalTailBelow, 0>, g.square);
  return positive_part(g.x) - g.size * above / below;
}
UPCAST_HOST_DEVICE inline float gelu(float x) {
  return static_cast<float>(wide_gelu(gelu_start(static_cast<double>(x))));
}

/// gelu's approximation by tanh: x / (1 + exp(-sqrt(8 / pi) (x + 0.044715 x^3))). A tail of exactly
/// 1/2 halves a tiny x exactly.
UPCAST_HOST_DEVICE inline float gelu_tanh(float x) {
  constexpr double kSlope = 0x1.9884533d43651p+0, kCubic = 0.044715 * kSlope;
  const double d = x, a = magnitude_up_to(d, kGateEnd);
  const ExpQuotient e = exp_quotient(-a * std::fma(kCubic, a * a, kSlope));
  return static_cast<float>(positive_part(d) - a * e.above / (e.above + e.below));
}

/// mish(x) = x tanh(log(1 + exp(x))), computed as x n / (n + 2) with e = exp(x) and n = e (e + 2).
/// All sums have positive terms.
UPCAST_HOST_DEVICE inline float mish(float x) {
  const ExpQuotient e = exp_quotient(x);
  const double n = e.above * (e.above + 2 * e.below);
  const auto value = static_cast<float>(x * n / (n + 2 * e.below * e.below));
  return at_ends(value, x, kLeftOfAll, -0.0F, 40, x);
}

/// log(1 + exp(-|x|)), or 0 where that is below 2^-1000. For NaN it may return any number.
UPCAST_HOST_DEVICE inline double log_of_tail(double x) {
  const double tail = log1p_of(exp_of(reduced<double>(-magnitude(x))));
  return magnitude(x) < 700 ? tail : 0;
}

/// softplus(x) = log(1 + exp(beta x)) / beta.
UPCAST_HOST_DEVICE inline float softplus(float x, double beta) {
  const double t = x * beta;
  const double tail = log_of_tail(t);
  return static_cast<float>((t < 0 ? tail : t + tail) / beta);
}

/// log(sigmoid(x)). It is never positive, so it is -0 where it underflows.
UPCAST_HOST_DEVICE inline float log_sigmoid(float x) {
  const double d = x;
  const double tail = log1p_of(exp_of(reduced(-magnitude(d))));
  return at_ends(static_cast<float>(d > 0 ? -tail : d - tail), x, kLeftOfAll, x, 110, -0.0F);
}

/// logit(x) = log(x / (1 - x)). If the quotient is near 1, log1p gets its excess over 1, which is
/// (2 x - 1) / (1 - x).
UPCAST_HOST_DEVICE inline float logit(float x) {
  const double d = x;
  const double quotient = d / (1 - d);
  const Binade b = binade(quotient);
  const double excess = b.minus_exponent == 0 ? (2 * d - 1) / (1 - d) : b.excess;
  const double value = std::fma(b.minus_exponent, -kLn2, log_of_excess(excess));
  return at_edges(static_cast<float>(value), static_cast<float>(quotient), 0, -kInfinityF);
}

}  // namespace upcast::branchless
