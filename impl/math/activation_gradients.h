// Gradients of activations in float64. Each is the incoming gradient times the activation's
// derivative, computed in sums of two float64 and rounded once. The derivative keeps an exponent of
// its own, so that no intermediate value overflows or becomes 0 before the result does. Errors
// measured against Arb: at most 0.76 ulp, below 0.51 where the result is a normal number, near
// zeros of derivatives too. Sources: the derivatives of the definitions; erf by DLMF 7.6.2.
#pragma once

#include <cmath>

#include "impl/math/activations.h"
#include "impl/math/double_elementary.h"
#include "impl/math/erfcx.h"
#include "impl/math/erfinv.h"

namespace upcast::precise {

namespace internal {

/// The derivative of an activation x * f(x) far from 0, and at NaN. It is 1 for large x. For very
/// negative x it is a negative number that only an infinite gradient does not turn into 0; at -inf
/// it is -0.
UPCAST_HOST_DEVICE inline ScaledDoubleDouble gate_end(double x) {
  if (x < 0 && std::isfinite(x)) return {-1, -4000};
  return {x > 0 ? 1.0 : x < 0 ? -0.0 : x, 0};
}

/// A zero of an activation's derivative, as three parts with 159 bits, and the derivative's Taylor
/// series there (mpmath). Near the zero the usual formula would lose digits by cancellation.
struct DerivativeZero {
  double at, low, lowest;
  DoubleDouble slope;
  double second, third;
};

inline constexpr DerivativeZero kMishZero{
    -0x1.31432c0d12d84p+0,   -0x1.bf319154da210p-55,
    -0x1.3b82ea8c1efc4p-109, {0x1.115acb42500bbp-2, 0x1.1ad72de557d4cp-56},
    0x1.a34a251d8ad7bp-3,    0x1.574f121a868dbp-5};
inline constexpr DerivativeZero kGeluZero{
    -0x1.80ead197f00b4p-1,  0x1.13e74c58cada8p-56,
    0x1.65d4b5b9cdd03p-111, {0x1.b9d98fa5a3215p-2, 0x1.f7c1a23190c7cp-56},
    0x1.8d9a941de3ac5p-2,   -0x1.2a2ef9bb865aep-6};
inline constexpr DerivativeZero kGeluTanhZero{
    -0x1.81429f9e97e4dp-1,   0x1.3ce60c9e3b279p-55,
    -0x1.8c8cffd1d8b8bp-110, {0x1.b8bacd2c96b91p-2, 0x1.3232ca0739b20p-56},
    0x1.8cd1a2b2fff33p-2,    -0x1.029615edb0778p-6};

UPCAST_HOST_DEVICE inline bool is_near(double x, const DerivativeZero& zero) {
  return std::abs(x - zero.at) < 0x1p-26;
}
UPCAST_HOST_DEVICE inline ScaledDoubleDouble derivative_near(double x, const DerivativeZero& zero) {
  const DoubleDouble distance = two_sum(x - zero.at, -zero.low) - DoubleDouble(zero.lowest);
  const double curvature = zero.second + distance.hi * zero.third;
  return {distance * (zero.slope + distance * DoubleDouble(curvature)), 0};
}

/// The derivative of x / (1 + exp(-u(x))): 1 / (1 + exp(-u)) + w exp(-u) / (1 + exp(-u))^2 with w =
/// x u'(x). Computed from exp(-|u|), which is at most 1.
UPCAST_HOST_DEVICE inline ScaledDoubleDouble logistic_gate(DoubleDouble u, DoubleDouble w) {
  const bool negative = u.hi < 0;
  const ScaledDoubleDouble e = exp_scaled<Digits::k30>(negative ? u : -u);
  const DoubleDouble small = scaled(e.value, std::ldexp(1.0, e.exponent));
  const DoubleDouble below = DoubleDouble(1) + small;
  const DoubleDouble square = below * below;
  if (negative) return {e.value * (below + w) / square, e.exponent};
  return {(below + small * w) / square, 0};
}

}  // namespace internal

UPCAST_HOST_DEVICE inline double silu_backward(double grad, double x) {
  if (!(std::abs(x) < 1e300)) return internal::product(grad, internal::gate_end(x));
  return internal::product(grad, internal::logistic_gate(x, x));
}

/// The gradient of mish. With e = exp(x) and n = e (e + 2), the derivative of mish is e ((e + 2) (n
/// + 2) + 4 x (e + 1)) / (n + 2)^2.
UPCAST_HOST_DEVICE inline double mish_backward(double grad, double x) {
  if (!(x < 40 && x > -1e300)) return internal::product(grad, internal::gate_end(x));
  constexpr internal::DerivativeZero kZero = internal::kMishZero;
  if (internal::is_near(x, kZero))
    return internal::product(grad, internal::derivative_near(x, kZero));
  const ScaledDoubleDouble e = exp_scaled<Digits::k30>(x);
  const DoubleDouble whole = scaled(e.value, std::ldexp(1.0, e.exponent));
  const DoubleDouble more = whole + DoubleDouble(2);
  const DoubleDouble below = whole * more + DoubleDouble(2);
  const DoubleDouble above = more * below + DoubleDouble(4 * x) * (whole + DoubleDouble(1));
  return internal::product(grad, {e.value * above / (below * below), e.exponent});
}

namespace internal {

/// The density of the standard normal distribution: phi(x) = exp(-x^2 / 2) / sqrt(2 pi).
UPCAST_HOST_DEVICE inline ScaledDoubleDouble normal_density(double x) {
  constexpr DoubleDouble kInverseSqrtTwoPi{0x1.9884533d43651p-2, -0x1.cbc0d30ebfd15p-56};
  const ScaledDoubleDouble e = exp_scaled<Digits::k30>(scaled(-two_product(x, x), 0.5));
  return {e.value * kInverseSqrtTwoPi, e.exponent};
}

/// Mills' ratio Phi(-x) / phi(x) for x > 0, of the standard normal distribution.
UPCAST_HOST_DEVICE inline double mills_ratio(double x) {
  constexpr double kRootHalf = 0.70710678118654752440, kRootHalfPi = 1.25331413731550025121;
  return kRootHalfPi * erfcx(x * kRootHalf);
}

}  // namespace internal

/// The gradient of gelu, whose derivative is Phi(x) + x phi(x). For x < -5 the derivative is
/// computed as phi(x) (M(-x) + x) with Mills' ratio M.
UPCAST_HOST_DEVICE inline double gelu_backward(double grad, double x) {
  constexpr DoubleDouble kRootHalf{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};
  if (!(std::abs(x) < 60)) return internal::product(grad, internal::gate_end(x));
  constexpr internal::DerivativeZero kZero = internal::kGeluZero;
  if (internal::is_near(x, kZero))
    return internal::product(grad, internal::derivative_near(x, kZero));
  const ScaledDoubleDouble e = internal::normal_density(x);
  const DoubleDouble density = e.value;
  if (x < -5) {
    return internal::product(grad, {density * two_sum(x, internal::mills_ratio(-x)), e.exponent});
  }
  const DoubleDouble slope = scaled(density, std::ldexp(1.0, e.exponent)) * DoubleDouble(x);
  const DoubleDouble at = kRootHalf * DoubleDouble(std::abs(x));
  DoubleDouble erf = 1;
  if (at.hi < 6) {
    const double rest = upcast::internal::kTwoOverRootPi * std::exp(-at.hi * at.hi) * at.lo;
    erf = upcast::internal::erf_exact(at.hi) + DoubleDouble(rest);
  }
  const DoubleDouble cdf = scaled(DoubleDouble(1) + (x < 0 ? -erf : erf), 0.5);
  return internal::product(grad, {cdf + slope, 0});
}

/// The gradient of gelu's approximation by tanh.
UPCAST_HOST_DEVICE inline double gelu_tanh_backward(double grad, double x) {
  if (!(std::abs(x) < 60)) return internal::product(grad, internal::gate_end(x));
  constexpr internal::DerivativeZero kZero = internal::kGeluTanhZero;
  if (internal::is_near(x, kZero))
    return internal::product(grad, internal::derivative_near(x, kZero));
  const GeluTanhArgument u = gelu_tanh_argument(x);
  return internal::product(grad, internal::logistic_gate(u.value, u.slope));
}

namespace internal {

/// The exponential of a number below this limit is too small to matter for any gradient.
inline constexpr double kLowestExponent = -2000;

}  // namespace internal

/// The gradient of softplus: grad / (1 + exp(-beta x)).
UPCAST_HOST_DEVICE inline double softplus_backward(double grad, double x, double beta) {
  const DoubleDouble u = two_product(x, beta);
  // The factor of an infinite grad is positive and finite, even if x * beta overflows.
  if (std::isinf(grad) && std::isfinite(x) && std::isfinite(beta)) return grad;
  if (!std::isfinite(grad)) return grad / (1 + std::exp(-u.hi));
  if (!(u.hi > internal::kLowestExponent && u.hi < 40))
    return internal::product(grad, u.hi < 0   ? ScaledDoubleDouble{1, -4000}
                                   : u.hi > 0 ? ScaledDoubleDouble{1, 0}
                                              : ScaledDoubleDouble{u.hi, 0});
  const ScaledDoubleDouble e = exp_scaled<Digits::k30>(u.hi < 0 ? u : -u);
  const DoubleDouble below = DoubleDouble(1) + scaled(e.value, std::ldexp(1.0, e.exponent));
  if (u.hi < 0) return internal::product(grad, {e.value / below, e.exponent});
  return internal::product(grad, {DoubleDouble(1) / below, 0});
}

/// The gradient of elu for negative x: grad factor slope exp(factor x). `slope` is a product of two
/// numbers.
UPCAST_HOST_DEVICE inline double elu_backward(double grad, double x, double factor,
                                              DoubleDouble slope) {
  // The exponential is positive, so a grad of 0 or infinity keeps its size, and only signs count.
  const bool is_extreme = grad == 0 || std::isinf(grad);
  if (is_extreme && std::isfinite(x) && std::isfinite(factor) && std::isfinite(slope.hi))
    return grad * factor * slope.hi;
  const DoubleDouble u = two_product(x, factor);
  if (!(std::abs(u.hi) < -internal::kLowestExponent) || !std::isfinite(grad + slope.hi) ||
      factor == 0 || slope.hi == 0)
    return grad * (factor * std::exp(x * factor) * slope.hi);
  int exponent;
  // The factor is split into mantissa and exponent, because factor * slope may overflow.
  const double mantissa = std::frexp(factor, &exponent);
  const ScaledDoubleDouble e = exp_scaled<Digits::k30>(u);
  return internal::product(grad,
                           {e.value * (DoubleDouble(mantissa) * slope), e.exponent + exponent});
}

/// The gradient of elu for a negative result y of elu: grad factor (y + slope).
UPCAST_HOST_DEVICE inline double elu_backward_of_result(double grad, double y, double factor,
                                                        DoubleDouble slope) {
  const double larger = std::fmax(std::abs(y), std::abs(slope.hi));
  if (!std::isfinite(larger + std::abs(factor)) || std::isnan(y))
    return grad * (factor * (y + slope.hi));
  // The sum may overflow even if the product does not, so both terms are scaled down.
  const int down = larger > 0x1p900 ? 200 : 0;
  const double scale = std::ldexp(1.0, -down);
  int exponent;
  const double mantissa = std::frexp(factor, &exponent);
  const DoubleDouble sum = DoubleDouble(y * scale) + scaled(slope, scale);
  return internal::product(grad, {DoubleDouble(mantissa) * sum, exponent + down});
}

/// The gradient of hardswish for -3 < x < 3: grad (2 x + 3) / 6.
UPCAST_HOST_DEVICE inline double hardswish_backward(double grad, double x) {
  return internal::product(grad, {two_sum(2 * x, 3) / DoubleDouble(6), 0});
}

/// The gradient of sigmoid from its result y: grad (1 - y) y.
UPCAST_HOST_DEVICE inline double sigmoid_backward(double grad, double y) {
  if (!std::isfinite(y) || y == 0) return grad * ((1 - y) * y);
  int exponent;
  const double mantissa = std::frexp(y, &exponent);
  // Scales y, so that 1 - y stays near 1 or below.
  const int down = exponent > 0 ? -exponent : 0;
  const DoubleDouble rest = two_sum(std::ldexp(1.0, down), -std::ldexp(y, down));
  return internal::product(grad, {rest * DoubleDouble(mantissa), exponent - down});
}

/// Whether a result is so far from overflow and underflow that no intermediate value can have met
/// either.
UPCAST_HOST_DEVICE inline bool is_far_from_limits(double x) {
  return std::abs(x) > 0x1p-800 && std::abs(x) < 0x1p800;
}

/// The gradient of tanh without branches. The value is right only if is_far_from_limits() of it
/// holds. slope + rest is 1 - y^2: one fma rounds it, and the rest is what 1 - slope has more than
/// y^2.
UPCAST_HOST_DEVICE inline double tanh_backward_mostly(double grad, double y) {
  const double slope = std::fma(-y, y, 1);
  const DoubleDouble back = two_sum(1, -slope);
  const double rest = std::fma(-y, y, back.hi) + back.lo;
  return std::fma(grad, slope, grad * rest);
}

/// The gradient of tanh from its result y: grad (1 - y) (1 + y).
UPCAST_HOST_DEVICE inline double tanh_backward(double grad, double y) {
  if (!std::isfinite(y)) return grad * ((1 - y) * (1 + y));
  const int exponent = std::abs(y) > 1 ? std::ilogb(y) + 1 : 0;
  const double one = std::ldexp(1.0, -exponent), near = std::ldexp(y, -exponent);
  return internal::product(grad, {two_sum(one, -near) * two_sum(one, near), 2 * exponent});
}

/// The gradient of logit for x in [0, 1]: grad / (x (1 - x)).
UPCAST_HOST_DEVICE inline double logit_backward(double grad, double x) {
  if (!(x > 0 && x < 1)) return grad / (x * (1 - x));
  int exponent;
  const double mantissa = std::frexp(x, &exponent);
  const DoubleDouble product = DoubleDouble(mantissa) * two_sum(1, -x);
  return internal::product(grad, {DoubleDouble(1) / product, -exponent});
}

}  // namespace upcast::precise
