// sin, cos, tan and their inverses of float32. They are computed in float64 without branches and
// rounded once. The error is at most 0.5001 ulp, measured as for float_exponential.h. Fewer than 20
// results in a million are not the nearest float32. Sine and cosine reduce angles to half turns,
// so that one polynomial is enough. The tangent would have a pole in each, and takes quarters.
#pragma once

#include <cmath>

#include "impl/math/branchless.h"

namespace upcast::branchless {

/// A reduced angle: x = (quarter + fraction) pi/2 modulo 2 pi, with |fraction| <= 1/2. Only the low
/// two bits of `quarter` count.
struct Turn {
  double fraction;
  std::uint64_t quarter;
};

/// x - 4 round(x / 4), computed exactly, for |x| < 2^53.
UPCAST_HOST_DEVICE inline double modulo4(double x) {
  constexpr double kRounderTo4 = 0x1.8p54;
  return x - ((x + kRounderTo4) - kRounderTo4);
}

/// x 2/pi modulo 4 as an unevaluated sum, for x of any size. It multiplies x 2^(-26 j) with 2/pi
/// 2^(26 j) mod 4, given in three parts. j is 0, or such that x 2^(-26 j) is an integer below 2^50.
/// A float32 has 24 bits and each of the first two parts has 29, so their products are exact, and
/// so are the remainders modulo 4. No float32 is nearer than 2^-31 to a multiple of pi/2.
struct Quarters {
  double high, middle, low;
};
UPCAST_HOST_DEVICE inline Quarters quarters_of(double x) {
  const double a = magnitude(x);
  const bool large = a >= 0x1p50, larger = a >= 0x1p76, largest = a >= 0x1p102;
  const auto select = [&](double c0, double c1, double c2, double c3) {
    const double low = large ? c1 : c0;
    const double middle = larger ? c2 : low;
    return largest ? c3 : middle;
  };
  const double factor = x * select(1, 0x1p-26, 0x1p-52, 0x1p-78);
  const double first = factor * select(kElement<kTwoOverPi0, 0>, kElement<kTwoOverPi0, 1>,
                                       kElement<kTwoOverPi0, 2>, kElement<kTwoOverPi0, 3>);
  const double second = factor * select(kElement<kTwoOverPi1, 0>, kElement<kTwoOverPi1, 1>,
                                        kElement<kTwoOverPi1, 2>, kElement<kTwoOverPi1, 3>);
  const double third = factor * select(kElement<kTwoOverPi2, 0>, kElement<kTwoOverPi2, 1>,
                                       kElement<kTwoOverPi2, 2>, kElement<kTwoOverPi2, 3>);
  return {modulo4(first), modulo4(second), third};
}

/// Reduces an angle of any size.
UPCAST_HOST_DEVICE inline Turn turn_of(double x) {
  const Quarters q = quarters_of(x);
  const double rounded = (q.high + q.middle) + kRounder;
  return {((q.high - (rounded - kRounder)) + q.middle) + q.low, bits(rounded)};
}

/// Reduces an angle |x| < 2^20. The product of so small an angle with the second part of 2/pi is
/// tiny. So no remainder modulo 4 is needed before the rounding.
UPCAST_HOST_DEVICE inline Turn near_turn_of(double x) {
  constexpr double kTwoOverPi = kElement<kTwoOverPi0, 0> + kElement<kTwoOverPi1, 0>;
  const double rounded = std::fma(x, kTwoOverPi, kRounder);
  const double above = std::fma(x, kElement<kTwoOverPi0, 0>, -(rounded - kRounder));
  const double both = std::fma(x, kElement<kTwoOverPi1, 0>, above);
  return {std::fma(x, kElement<kTwoOverPi2, 0>, both), bits(rounded)};
}

/// An angle in half turns: pi (half + fraction) modulo 2 pi, with |fraction| <= 1/2. Only the
/// lowest bit of `half` counts.
struct HalfTurn {
  double fraction;
  std::uint64_t half;
};

/// Reduces an angle in quarters, advanced by `ahead` half turns: 0 or 1/2.
UPCAST_HOST_DEVICE inline HalfTurn half_turn_of(const Quarters& q, double ahead) {
  const double rounded = std::fma(q.high + q.middle, 0.5, ahead) + kRounder;
  const double quarters = 2 * ((rounded - kRounder) - ahead);
  return {0.5 * (((q.high - quarters) + q.middle) + q.low), bits(rounded)};
}

/// Reduces x + pi `ahead` for |x| < 2^20. Both parts of 1/pi are positive, so that -0 stays -0.
UPCAST_HOST_DEVICE inline HalfTurn near_half_turn_of(double x, double ahead) {
  constexpr double kHigh = kElement<kInversePi, 0>;
  const double rounded =
      ahead == 0 ? std::fma(x, kHigh, kRounder) : std::fma(x, kHigh, ahead) + kRounder;
  const double above = std::fma(x, kHigh, -((rounded - kRounder) - ahead));
  return {std::fma(x, kElement<kInversePi, 1>, above), bits(rounded)};
}

/// Whether near_turn_of() and near_half_turn_of() are right for x. NaN counts as small: its result
/// is NaN.
UPCAST_HOST_DEVICE inline bool is_small_angle(float x) { return !(std::abs(x) >= 0x1p20F); }

UPCAST_HOST_DEVICE inline double sine_of(double fraction) {
  return fraction * polynomial<kSine>(fraction * fraction);
}
UPCAST_HOST_DEVICE inline double cosine_of(double fraction) {
  return polynomial<kCosine>(fraction * fraction);
}

UPCAST_HOST_DEVICE inline double sine_of(const HalfTurn& turn) {
  const double size = turn.fraction * polynomial<kSinePi>(turn.fraction * turn.fraction);
  return from_bits(bits(size) ^ (turn.half << 63));
}
UPCAST_HOST_DEVICE inline double tangent_of(const Turn& turn) {
  const double sine = sine_of(turn.fraction), cosine = cosine_of(turn.fraction);
  const bool odd = (turn.quarter & 1) != 0;
  return (odd ? -cosine : sine) / (odd ? sine : cosine);
}

UPCAST_HOST_DEVICE inline float sin(float x) {
  return static_cast<float>(sine_of(half_turn_of(quarters_of(x), 0)));
}
UPCAST_HOST_DEVICE inline float cos(float x) {
  return static_cast<float>(sine_of(half_turn_of(quarters_of(x), 0.5)));
}
UPCAST_HOST_DEVICE inline float tan(float x) { return static_cast<float>(tangent_of(turn_of(x))); }

// sin_mostly, cos_mostly and tan_mostly are right only if is_small_angle(x).
UPCAST_HOST_DEVICE inline float sin_mostly(float x) {
  return static_cast<float>(sine_of(near_half_turn_of(x, 0)));
}
UPCAST_HOST_DEVICE inline float cos_mostly(float x) {
  return static_cast<float>(sine_of(near_half_turn_of(x, 0.5)));
}
UPCAST_HOST_DEVICE inline float tan_mostly(float x) {
  return static_cast<float>(tangent_of(near_turn_of(x)));
}

/// atan(x) as its value at 0, 1 or infinity plus a correction. The correction is the atan of a
/// quotient of at most tan(pi/8).
UPCAST_HOST_DEVICE inline float atan(float x) {
  constexpr double kTanEighth = 0x1.a827999fcef32p-2, kTanThreeEighths = 0x1.3504f333f9de6p1;
  const double a = magnitude(x);
  const bool middle = a > kTanEighth, large = a > kTanThreeEighths;
  const double above = large ? -1 : middle ? a - 1 : a;
  const double below = large ? a : middle ? a + 1 : 1;
  const double t = above / below;
  const double offset = large ? kPi / 2 : middle ? kPi / 4 : 0;
  const double value = std::fma(t, polynomial<kAtan>(t * t), offset);
  return with_sign(magnitude(static_cast<float>(value)), x);
}

/// asin(a) for 0 <= a <= 1/2. For larger a it is asin(t) with t = sqrt((1 - a) / 2); the caller
/// then computes asin(a) as pi/2 - 2 asin(t).
UPCAST_HOST_DEVICE inline double arc_sine(double a) {
  const bool large = a > 0.5;
  const double square = large ? 0.5 * (1 - a) : a * a;
  const double root = std::sqrt(square);
  const double t = large ? root : a;
  return std::fma(t * square, polynomial<kAsin>(square), t);
}

// asin and acos select terms, not sums, by the size of |x|. For a selection of sums, GCC would make
// branches, and would not vectorise.
UPCAST_HOST_DEVICE inline float asin(float x) {
  const double a = magnitude(x);
  const double offset = a > 0.5 ? kPi / 2 : 0, factor = a > 0.5 ? -2 : 1;
  const double value = std::fma(factor, arc_sine(a), offset);
  return with_sign(magnitude(static_cast<float>(value)), x);
}

UPCAST_HOST_DEVICE inline float acos(float x) {
  const double a = magnitude(x);
  const double far = x < 0 ? kPi : 0, sign = x < 0 ? -1 : 1;
  const double offset = a > 0.5 ? far : kPi / 2, factor = a > 0.5 ? 2 : -1;
  return static_cast<float>(std::fma(sign * factor, arc_sine(a), offset));
}

}  // namespace upcast::branchless
