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

/// The exponential of x = k ln(2) + r: exp(r) - 1 as growth + rest, and `rounded` = kRounder + k.
struct ReducedGrowth {
  double growth, rest, rounded;
};
UPCAST_HOST_DEVICE inline ReducedGrowth reduced_exponential(double x) {
  const double rounded = x * kLog2E + kRounder;
  const double k = rounded - kRounder;
  const double high = x - k * kLn2High, low = k * kLn2Low;
  const double r = high - low;
  // The part that rounding r lost is added again, but only to the first power of r, where it
  // matters.
  const double lost = (high - r) - low;
  const double more = lost + r * r * polynomial<kExpm1Double>(r);
  const double growth = r + more;
  return {growth, more - (growth - r), rounded};
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

/// erf(x) is x + x P for small x, with a polynomial P in x^2, and 1 - exp(-x^2) Q for others, with
/// a quotient Q of polynomials in x. P is summed from its value at 25/64, where it is nearly 0, and
/// from a slope of -1/4, so that the rounded sums are small. exp(-x^2) is corrected for what
/// rounding x^2 lost.
UPCAST_HOST_DEVICE inline double erf(double x) {
  constexpr double kSplit = 1.171875, kEnd = 6, kCentre = 25.0 / 64;
  constexpr double kSlopeAtZero = 0x1.06eba8214db69p-3;  // 2 / sqrt(pi) - 1
  const double a = clamp(magnitude(x), 0, kEnd), square = a * a;
  const double w = std::fma(a, a, -kCentre);
  const double slope = std::fma(w, -0.25, polynomial<kErfNear>(w));
  const double near = std::fma(a, a < 0x1p-28 ? kSlopeAtZero : slope, a);
  const ReducedGrowth e = reduced_exponential(-square);
  const double lost = std::fma(a, a, -square);
  const double growth = e.growth + std::fma(-lost, 1 + e.growth, e.rest);
  const double decay = (1 + growth) * power_of_two(e.rounded);
  const double tail = decay * (polynomial<kErfcFarAbove>(a) / polynomial<kErfcFarBelow>(a));
  return with_sign(a < kSplit ? near : 1 - tail, x);
}

/// The normal distribution function of -a, for a >= 0, is exp(-a^2 / 2) times this sum. It is a
/// polynomial in q = (a - 5) / (a + 5), of which only the slope from its value at 5 is rounded at
/// each step, divided by 1 + 5/4 a.
UPCAST_HOST_DEVICE inline DoubleDouble scaled_normal_tail(double a) {
  const double above = a - 5, below = a + 5, inverse = 1 / below;
  const double start = above * inverse;
  const double lack =
      std::fma(-start, below, above) + std::fma(-start, a - (below - 5), a - (above + 5));
  const double q = std::fma(inverse, lack, start);
  const double slope = polynomial<kNormalTailSlope>(q), middle = kElement<kNormalTailMiddle, 0>;
  const double value = std::fma(q, slope, middle);
  const double rest = std::fma(q, slope, middle - value) + kElement<kNormalTailMiddle, 1>;
  const double divisor = std::fma(1.25, a, 1.0), part = 1 / divisor;
  const double lost = std::fma(1.25, a, 1 - divisor);
  const double quotient = value * part;
  return {quotient, (std::fma(-quotient, divisor, value) + std::fma(-quotient, lost, rest)) * part};
}

/// gelu(x) = x P(x) with the normal distribution function P, from t = P(-|x|). It is -0 where it
/// underflows. The factors are chosen, not the sums: for a choice of sums GCC would make branches.
/// For negative x the scale of t is multiplied last, so that a subnormal result is rounded once.
UPCAST_HOST_DEVICE inline double gelu(double x) {
  constexpr double kEnd = 39;
  const double a = magnitude(x);
  const DoubleDouble square = two_product(a, a), ratio = scaled_normal_tail(a);
  const ReducedGrowth e = reduced_exponential(-0.5 * square.hi);
  const DoubleDouble decay = quick_two_sum(1, e.growth);
  const double decay_low = decay.lo + std::fma(-0.5 * square.lo, decay.hi, e.rest);
  const DoubleDouble tail = two_product(decay.hi, ratio.hi);
  const double tail_low = tail.lo + (decay.hi * ratio.lo + decay_low * ratio.hi);
  const TwoSteps scale = two_steps(e.rounded);
  const bool negative = x < 0;
  const double start = negative ? 0 : 1, sign = negative ? 1 : -1;
  const double first = negative ? 1 : scale.first, second = negative ? 1 : scale.second;
  const double first_later = negative ? scale.first : 1, second_later = negative ? scale.second : 1;
  const DoubleDouble sum = quick_two_sum(start, sign * tail.hi * first * second);
  const double sum_low = sum.lo + sign * tail_low * first * second;
  const double value = std::fma(x, sum.hi, x * sum_low) * first_later * second_later;
  const double above = x > kEnd ? x : value;
  return x < -kEnd ? -0.0 : above;
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
