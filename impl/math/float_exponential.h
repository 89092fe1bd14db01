// Exponentials, logarithms and hyperbolic functions of float32. They are computed in float64
// without branches and rounded once. The error is at most 0.5001 ulp, measured against glibc's
// float64 functions over every 61st bit pattern. Fewer than 5 results in a million are not the
// nearest float32. float_functions_test.cc repeats the measurement with wider strides.
//
// exp: x = k ln(2) + r, and a polynomial in r, or a quotient where the function divides anyway.
// log: x = 2^k m and log(m) = 2 atanh((m - 1) / (m + 1)). The other functions are written with
// these two so that nothing cancels.
#pragma once

#include <cmath>

#include "impl/math/branchless.h"

namespace upcast::branchless {

UPCAST_HOST_DEVICE inline float exp(float x) {
  return at_ends(static_cast<float>(exp_of(reduced(double{x}))), x, -110, 0, 100, kInfinityF);
}

UPCAST_HOST_DEVICE inline float expm1(float x) {
  const auto value = static_cast<float>(expm1_of(x));
  return at_ends(x == 0 ? x : value, x, -110, -1, 100, kInfinityF);  // -0 stays
}

UPCAST_HOST_DEVICE inline float exp2(float x) {
  const double d = x, rounded = d + kRounder;
  const double value = times_power_of_two(polynomial<kExp2>(d - (rounded - kRounder)), rounded);
  return at_ends(static_cast<float>(value), x, -160, 0, 130, kInfinityF);
}

UPCAST_HOST_DEVICE inline float log(float x) {
  return at_edges(static_cast<float>(log_of(double{x})), x, 0, -kInfinityF);
}

UPCAST_HOST_DEVICE inline float log2(float x) {
  return at_edges(static_cast<float>(log2_of(binade(double{x}))), x, 0, -kInfinityF);
}

UPCAST_HOST_DEVICE inline float log10(float x) {
  return at_edges(static_cast<float>(log10_of(binade(double{x}))), x, 0, -kInfinityF);
}

UPCAST_HOST_DEVICE inline float log1p(float x) {
  return at_edges(static_cast<float>(log1p_of(double{x})), x, -1, -kInfinityF);
}

UPCAST_HOST_DEVICE inline float sinh(float x) {
  const ExpQuotient e = exp_quotient(magnitude(x));
  const auto size =
      static_cast<float>(e.difference * (e.above + e.below) / (2 * e.above * e.below));
  return with_sign(magnitude(x) > 100 ? kInfinityF : size, x);
}

UPCAST_HOST_DEVICE inline float cosh(float x) {
  const ExpQuotient e = exp_quotient(magnitude(x));
  const auto value =
      static_cast<float>(std::fma(e.above, e.above, e.below * e.below) / (2 * e.above * e.below));
  return magnitude(x) > 100 ? kInfinityF : value;
}

UPCAST_HOST_DEVICE inline float tanh(float x) {
  const ExpQuotient e = exp_quotient(2.0 * magnitude(x));
  const auto size = static_cast<float>(e.difference / (e.above + e.below));
  return with_sign(magnitude(x) > 20 ? 1 : size, x);
}

/// -x = k ln(2) - rest with `rounded` = kRounder + 1023 + k, for |x| <= 700, and the square of the
/// rest. The low bits of `rounded` are then the exponent field of 2^k.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Reduced<Real> reduced_decay(const Real& x) {
  constexpr double kBiased = kRounder + 1023;
  const Real rounded = fused(x, -kLog2E, kBiased);
  const Real rest = fused(rounded - kBiased, kLn2, x);
  return {rounded, rest, rest * rest};
}

/// sigmoid(x) = 1 / (1 + 2^k exp(-rest)). exp(rest) is (even + odd) / (even - odd), with
/// polynomials in rest^2 of degree 2 and 1, one multiplication less than exp_quotient(). The error
/// is 2^-45.3 of exp(x), plus 2^-53 |x|.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real sigmoid_of(const Reduced<Real>& x) {
  const Real even = fused(x.square, x.square + kElement<kExpEven, 1>, kElement<kExpEven, 0>);
  const Real odd = x.rest * fused(x.square, kElement<kExpOdd, 1>, kElement<kExpOdd, 0>);
  const Real power = times_power_of_two(Real(0.0), x.rounded);
  const Real above = even + odd;
  return above / fused(even - odd, power, above);
}
UPCAST_HOST_DEVICE inline float sigmoid(float x) {
  const auto value = static_cast<float>(sigmoid_of(reduced_decay(static_cast<double>(x))));
  return at_ends(value, x, -110, 0, 100, 1);
}

/// x > 0, and a float32 that is at most one step away from 1 / sqrt(x).
template <class Real>
struct NearRsqrt {
  Real x, near;
};

/// 1 / sqrt(x), correctly rounded. `lack` is 1 - x near^2. The correction is added by one fma, the
/// only rounding that matters. float_functions_test.cc tries all mantissas. Without the last term,
/// which is lack^2 3 / 8, one of them would be wrong.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real rsqrt_from(const NearRsqrt<Real>& start) {
  const auto& [x, near] = start;
  const Real root = x * near, excess = fused(-x, near, root);
  const Real lack = fused(excess, near, fused(-root, near, 1));
  return fused(near * lack, fused(lack, 0.375F, 0.5F), near);
}

/// For 0, infinity and NaN the correction is NaN, and the quotient is the result.
UPCAST_HOST_DEVICE inline float rsqrt(float x) {
  const float near = 1 / std::sqrt(x), value = rsqrt_from<float>({x, near});
  return std::isnan(value) ? near : value;
}

/// For a positive normal x, from an estimate with a relative error of at most 1.5 * 2^-12. Of its
/// power series in `lack` the first term left out is lack^3 5 / 16, below 2^-32. Both roundings
/// together are at most 1 ulp, so the result is at most one step away from the nearest float32.
template <class Real>
[[gnu::always_inline]] inline NearRsqrt<Real> near_rsqrt(const Real& x) {
  const Real estimate = rsqrt_estimate(x);
  const Real lack = fused(-(x * estimate), estimate, 1);
  return {x, fused(estimate * lack, fused(lack, 0.375F, 0.5F), estimate)};
}

UPCAST_HOST_DEVICE inline float asinh(float x) {
  const double a = magnitude(x);
  const double square = a * a;
  const double value = log1p_of(a + square / (1 + std::sqrt(1 + square)));
  return with_sign(magnitude(x) < kInfinityF ? static_cast<float>(value) : magnitude(x), x);
}

UPCAST_HOST_DEVICE inline float acosh(float x) {
  const double t = static_cast<double>(x) - 1;
  const double value = log1p_of(t + std::sqrt(t * (t + 2)));
  return at_edges(static_cast<float>(value), x, 1, 0);
}

UPCAST_HOST_DEVICE inline float atanh(float x) {
  const double a = magnitude(x);
  const double value = 0.5 * log1p_of(2 * a / (1 - a));
  const float size = magnitude(x);
  const float below = size < 1 ? static_cast<float>(value) : static_cast<float>(kNaN);
  return with_sign(size == 1 ? kInfinityF : below, x);
}

}  // namespace upcast::branchless
