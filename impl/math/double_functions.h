// exp, tanh, sigmoid, log, erf, gelu, sin and cos of float64 without branches (branchless.h).
// Largest errors over 400,000 arguments in each of several ranges, compared with libquadmath: exp
// 0.87 ulp, log 0.81; over 1,000,000 in each: erf 0.94; over 500,000: gelu 1.4.
#pragma once

#include <cmath>

#include "impl/math/branchless.h"
#include "impl/math/double_elementary.h"

namespace upcast::branchless {

/// ln(2) as a sum of two parts. The first has 32 bits, so that its product with an exponent is
/// exact.
inline constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

/// x = k ln(2) + rest + lost with `rounded` = kRounder + k. `lost` is what rounding the rest lost.
template <class Real>
struct ReducedInParts {
  Real rounded, rest, lost;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline ReducedInParts<Real> reduced_in_parts(
    const Real& x) {
  const Real rounded = x * kLog2E + kRounder;
  const Real k = rounded - kRounder;
  const Real high = x - k * kLn2High, low = k * kLn2Low;
  const Real rest = high - low;
  return {rounded, rest, (high - rest) - low};
}

/// The exponential of x = k ln(2) + r: exp(r) - 1 as growth + rest, and `rounded` = kRounder + k.
/// What the reduction lost is added again, but only to the first power of r, where it matters.
template <class Real>
struct ReducedGrowth {
  Real growth, rest, rounded;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline ReducedGrowth<Real> growth_of(
    const ReducedInParts<Real>& x) {
  const Real& r = x.rest;
  const Real more = x.lost + r * r * polynomial<kExpm1Double>(r);
  const Real growth = r + more;
  return {growth, more - (growth - r), x.rounded};
}
UPCAST_HOST_DEVICE inline ReducedGrowth<double> reduced_exponential(double x) {
  return growth_of(reduced_in_parts(x));
}

/// 2^k as a product of two powers of two. A result that is multiplied by both is rounded only once,
/// even if it is subnormal.
struct TwoSteps {
  double first, second;
};
UPCAST_HOST_DEVICE inline TwoSteps two_steps(double rounded) {
  const double half = 0.5 * (rounded - kRounder) + kRounder;
  return {power_of_two(half), from_bits((bits(rounded) - bits(half) + 1023) << 52)};
}

/// exp(x) for |x| <= kNormalExponent, where both 2^k and the result are normal.
inline constexpr double kNormalExponent = 707;
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real exp_of_normal(const ReducedInParts<Real>& x) {
  const ReducedGrowth<Real> e = growth_of(x);
  return times_power_of_two(1 + e.growth, e.rounded);
}
UPCAST_HOST_DEVICE inline double exp(double x) {
  const ReducedGrowth e = reduced_exponential(clamp(x, -750, 720));
  const TwoSteps scale = two_steps(e.rounded);
  return (1 + e.growth) * scale.first * scale.second;
}

/// (a.hi + a.lo) / (b.hi + b.lo). Only the last addition and the small correction are rounded.
UPCAST_HOST_DEVICE inline double quotient(DoubleDouble a, DoubleDouble b) {
  const double start = a.hi / b.hi;
  const double rest = std::fma(-start, b.hi, a.hi) + (a.lo - start * b.lo);
  return start + rest / b.hi;
}

/// tanh(x) = (exp(2 x) - 1) / (exp(2 x) + 1). The exponential is a sum of two parts.
UPCAST_HOST_DEVICE inline double tanh(double x) {
  const double a = magnitude(x);
  const ReducedGrowth e = reduced_exponential(clamp(2 * a, 0, 44));
  const double scale = power_of_two(e.rounded);
  const DoubleDouble sum = two_sum(scale - 1, scale * e.growth);
  const DoubleDouble t = quick_two_sum(sum.hi, sum.lo + scale * e.rest);
  const DoubleDouble below = two_sum(t.hi, 2);
  const double value = quotient(t, {below.hi, below.lo + t.lo});
  return with_sign(a < 0x1p-30 ? a : value, x);
}

/// 1 / (1 + exp(-x)) as above / below times both factors of `scale`. For negative x it is exp(x) /
/// (1 + exp(x)), so that nothing overflows. The exponential is a sum of two parts. Its scale is
/// multiplied last, so that a subnormal result is rounded once.
struct Logistic {
  DoubleDouble above, below;
  TwoSteps scale;
};
UPCAST_HOST_DEVICE inline Logistic logistic_of(double x) {
  const ReducedGrowth e = reduced_exponential(clamp(-magnitude(x), -800, 0));
  const TwoSteps scale = two_steps(e.rounded);
  const DoubleDouble sum = two_sum(1, e.growth);
  const DoubleDouble mantissa{sum.hi, sum.lo + e.rest};
  const DoubleDouble whole = quick_two_sum(1, mantissa.hi * scale.first * scale.second);
  const DoubleDouble below{whole.hi, whole.lo + mantissa.lo * scale.first * scale.second};
  const bool negative = x < 0;
  return {{negative ? mantissa.hi : 1, negative ? mantissa.lo : 0},
          below,
          {negative ? scale.first : 1, negative ? scale.second : 1}};
}
UPCAST_HOST_DEVICE inline double sigmoid(double x) {
  const Logistic l = logistic_of(x);
  return quotient(l.above, l.below) * l.scale.first * l.scale.second;
}

/// silu(x) = x sigmoid(x), which is -0 at -inf.
UPCAST_HOST_DEVICE inline double silu(double x) {
  const Logistic l = logistic_of(x);
  const double product = x * l.above.hi;
  const double rest = std::fma(x, l.above.hi, -product) + x * l.above.lo;
  const double value = quotient({product, rest}, l.below) * l.scale.first * l.scale.second;
  const double finite = magnitude(x) < 0x1p-62 ? 0.5 * x : value;
  const double above = x > 800 ? x : finite;
  return x < -800 ? -0.0 : above;
}

/// log(x) from log(1 + f) = f - (f^2/2 - s (f^2/2 + R)) with s = f / (2 + f). Only R, which is
/// small, and the last sums are rounded.
UPCAST_HOST_DEVICE inline double log(double x) {
  const bool tiny = x < 0x1p-1022;
  const Binade b = binade(tiny ? x * 0x1p54 : x);
  const double exponent = 0 - b.minus_exponent;  // +0 for 1, so that its logarithm is +0
  const double k = tiny ? exponent - 54 : exponent;
  const double f = b.excess;
  const double s = f / (2 + f), square = s * s;
  const double half_square = 0.5 * f * f;
  const double rest = s * (half_square + square * polynomial<kLogDouble>(square));
  const double value = k * kLn2High - ((half_square - (rest + k * kLn2Low)) - f);
  return at_edges(value, x, 0, -kInfinity);
}

/// What erf computes first: a size, which is |x| but at most 6, because erf(6) rounds to 1; the
/// square of the size; and exp(-square) reduced.
template <class Real>
struct ErfStart {
  Real x, size, square;
  ReducedInParts<Real> decay;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline ErfStart<Real> erf_start(const Real& x) {
  const Real size = magnitude_up_to(x, 6), square = size * size;
  return {x, size, square, reduced_in_parts(-square)};
}
/// erf(x) is x + x P for small x, with a polynomial P in x^2, and 1 - exp(-x^2) Q for others, with
/// a quotient Q of polynomials in x. P is summed from its value at 25/64, where it is nearly 0, and
/// from a slope of -1/4, so that the rounded sums are small. exp(-x^2) is corrected for what
/// rounding x^2 lost.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real erf_from(const ErfStart<Real>& start) {
  constexpr double kSplit = 1.171875, kCentre = 25.0 / 64;
  constexpr double kSlopeAtZero = 0x1.06eba8214db69p-3;  // 2 / sqrt(pi) - 1
  const Real& a = start.size;
  const Real w = fused(a, a, -kCentre);
  const Real slope = fused(w, -0.25, polynomial<kErfNear>(w));
  const Real near = fused(a, if_below(a, 0x1p-28, kSlopeAtZero, slope), a);
  const ReducedGrowth<Real> e = growth_of(start.decay);
  const Real lost = fused(a, a, -start.square);
  const Real growth = e.growth + fused(-lost, 1 + e.growth, e.rest);
  const Real decay = times_power_of_two(1 + growth, e.rounded);
  const Real tail = decay * (polynomial<kErfcFarAbove>(a) / polynomial<kErfcFarBelow>(a));
  return with_sign(if_below(a, kSplit, near, 1 - tail), start.x);
}
UPCAST_HOST_DEVICE inline double erf(double x) {
  const double value = erf_from(erf_start(x));
  return x == x ? value : x + x;
}

/// A sum of two parts.
template <class Real>
struct Parts {
  Real high, low;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Parts<Real> product_in_parts(const Real& a,
                                                                              const Real& b) {
  const Real product = a * b;
  return {product, fused(a, b, -product)};
}
/// If a is at least as large as b, or 0.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Parts<Real> sum_in_parts(const Real& a,
                                                                          const Real& b) {
  const Real sum = a + b;
  return {sum, b - (sum - a)};
}

/// The normal distribution function of -a, for a >= 0, is exp(-a^2 / 2) times this sum. It is a
/// polynomial in q = (a - 5) / (a + 5), of which only the slope from its value at 5 is rounded at
/// each step, divided by 1 + 5/4 a.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Parts<Real> scaled_normal_tail(const Real& a) {
  const Real above = a - 5, below = a + 5, inverse = 1 / below;
  const Real start = above * inverse;
  const Real lack = fused(-start, below, above) + fused(-start, a - (below - 5), a - (above + 5));
  const Real q = fused(inverse, lack, start);
  const Real slope = polynomial<kNormalTailSlope>(q), middle = kElement<kNormalTailMiddle, 0>;
  const Real value = fused(q, slope, middle);
  const Real rest = fused(q, slope, middle - value) + kElement<kNormalTailMiddle, 1>;
  const Real divisor = fused(1.25, a, 1.0), part = 1 / divisor;
  const Real lost = fused(1.25, a, 1 - divisor);
  const Real quotient = value * part;
  return {quotient, (fused(-quotient, divisor, value) + fused(-quotient, lost, rest)) * part};
}

/// What gelu computes first: |x|, its square, and exp(-square / 2) reduced.
template <class Real>
struct WideGeluStart {
  Real x, size;
  Parts<Real> square;
  ReducedInParts<Real> decay;
};
/// Beyond this |x|, gelu(x) is x, or -0 for negative x.
inline constexpr double kWideGateEnd = 39;
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline WideGeluStart<Real> wide_gelu_start(
    const Real& x) {
  const Real size = magnitude_up_to(x, kWideGateEnd);
  const Parts<Real> square = product_in_parts(size, size);
  return {x, size, square, reduced_in_parts(-0.5 * square.high)};
}
/// The normal distribution function of -|x|, divided by 2^k with k from the reduction.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Parts<Real> unscaled_tail(
    const WideGeluStart<Real>& start) {
  const ReducedGrowth<Real> e = growth_of(start.decay);
  const Parts<Real> ratio = scaled_normal_tail(start.size);
  const Parts<Real> decay = sum_in_parts<Real>(1, e.growth);
  const Real decay_low = decay.low + fused(-0.5 * start.square.low, decay.high, e.rest);
  const Parts<Real> tail = product_in_parts(decay.high, ratio.high);
  return {tail.high, tail.low + (decay.high * ratio.low + decay_low * ratio.high)};
}
/// x P(x) from P(-|x|), which is the `tail`. The factors are chosen, not the sums: for a choice of
/// sums GCC would make branches.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real gelu_from(const Real& x,
                                                                const Parts<Real>& tail) {
  const Real start = if_below(x, 0, 0, 1), sign = if_below(x, 0, 1, -1);
  const Parts<Real> sum = sum_in_parts<Real>(start, sign * tail.high);
  return fused(x, sum.high, x * (sum.low + sign * tail.low));
}
/// gelu(x) for |x| <= kNormalGate, where the low part of the tail is a normal number or 0.
inline constexpr double kNormalGate = 35;
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real gelu_of_normal(
    const WideGeluStart<Real>& start) {
  const Parts<Real> tail = unscaled_tail(start);
  const Real scale = power_of_two(start.decay.rounded);
  return gelu_from<Real>(start.x, {tail.high * scale, tail.low * scale});
}
/// For negative x the scale is multiplied last, so that a subnormal result is rounded once.
UPCAST_HOST_DEVICE inline double gelu(double x) {
  const WideGeluStart<double> start = wide_gelu_start(x);
  const Parts<double> tail = unscaled_tail(start);
  const TwoSteps scale = two_steps(start.decay.rounded);
  const bool negative = x < 0;
  const double first = negative ? 1 : scale.first, second = negative ? 1 : scale.second;
  const double first_later = negative ? scale.first : 1, second_later = negative ? scale.second : 1;
  const double value =
      gelu_from<double>(x, {tail.high * first * second, tail.low * first * second});
  const double above = x > kWideGateEnd ? x : value * first_later * second_later;
  return x < -kWideGateEnd ? -0.0 : above;
}

/// An angle reduced as x = k pi/2 + high + low for |x| < kLargestAngle. k has 14 bits, and the
/// first two parts of pi/2 have 39 bits each. So their products are exact, and so is the first
/// difference.
inline constexpr double kLargestAngle = 0x1p14;
struct Angle {
  double high, low;
  std::uint64_t quarter;
};
UPCAST_HOST_DEVICE inline Angle angle_of(double x) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  const double rounded = x * kTwoOverPi + kRounder;
  const double k = rounded - kRounder;
  const double first = x - k * kElement<kHalfPi, 0>, second = k * kElement<kHalfPi, 1>;
  const double difference = first - second;
  const double taken = difference - first;
  const double lost = (first - (difference - taken)) - (second + taken);
  const double rest = lost - k * kElement<kHalfPi, 2>;
  const double high = difference + rest;
  return {high, (difference - high) + rest, bits(rounded)};
}

/// sin(x + ahead pi/2). Uses sin(r) = r + r^3 S and cos(r) = 1 - r^2/2 + r^4 C; the low part of the
/// reduced angle is added to the first power only.
UPCAST_HOST_DEVICE inline double sine_of(double x, std::uint64_t ahead) {
  const Angle angle = angle_of(x);
  const double r = angle.high, square = r * r, half = 0.5 * square;
  const double sine = r + (r * square * polynomial<kSineDouble>(square) + angle.low * (1 - half));
  const double rest = square * square * polynomial<kCosineDouble>(square) - r * angle.low;
  const double near_one = 1 - half;
  const double cosine = near_one + (((1 - near_one) - half) + rest);
  const std::uint64_t quarter = angle.quarter + ahead;
  const double value = (quarter & 1) != 0 ? cosine : sine;
  return from_bits(bits(value) ^ ((quarter & 2) << 62));
}

/// sin and cos, right only for arguments for which is_small_angle() is true.
UPCAST_HOST_DEVICE inline double sin_mostly(double x) { return x == 0 ? x : sine_of(x, 0); }
UPCAST_HOST_DEVICE inline double cos_mostly(double x) { return sine_of(x, 1); }
UPCAST_HOST_DEVICE inline bool is_small_angle(double x) { return !(magnitude(x) >= kLargestAngle); }

UPCAST_HOST_DEVICE inline double sin(double x) {
  return is_small_angle(x) ? sin_mostly(x) : precise::sin_of_large(x);
}
UPCAST_HOST_DEVICE inline double cos(double x) {
  return is_small_angle(x) ? cos_mostly(x) : precise::cos_of_large(x);
}

}  // namespace upcast::branchless
