// The parts of the branch-free functions. They use multiplications, additions, selections and bit
// casts on lanes of 64 bits, so that the compiler vectorises a loop over them. An element's bits
// must not depend on the width of its vector. So the compiler fuses nothing (-ffp-contract=off),
// and an explicit std::fma fuses on every processor. A processor without FMA runs glibc's fma,
// which is slow but gives the same bits.
//
// GCC needs -O3 -fno-trapping-math -fno-math-errno to vectorise them.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "impl/math/float_coefficients.h"
#include "impl/math/polynomial.h"

namespace upcast::branchless {

/// 1.5 * 2^52. Adding it to a double below 2^51 in magnitude rounds that double to an integer,
/// which the low bits of the sum then hold.
inline constexpr double kRounder = 0x1.8p52;

/// a * b + c, rounded once. A function of a `Real` is for double or float, and for lanes of them,
/// which have these operations of their own (core/lanes.h).
UPCAST_HOST_DEVICE inline double fused(double a, double b, double c) { return std::fma(a, b, c); }
UPCAST_HOST_DEVICE inline float fused(float a, float b, float c) { return std::fma(a, b, c); }

/// Sums a part of a polynomial by Horner's rule: every `Step`th coefficient, from `First` on. The
/// table has the lowest power first.
template <const auto& kTable, std::size_t First, std::size_t Step, class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline auto horner(const Real& x) {
  if constexpr (First + Step >= kTable.size())
    return kElement<kTable, First>;
  else
    return fused(x, horner<kTable, First + Step, Step>(x), kElement<kTable, First>);
}

/// The polynomial with the coefficients of a table, lowest power first. Even and odd powers are
/// summed apart: two independent dependency chains, so that the CPU can overlap them.
template <const auto& kTable, class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real polynomial(const Real& x) {
  const Real square = x * x;
  return fused(x, horner<kTable, 1, 2>(square), horner<kTable, 0, 2>(square));
}

/// A polynomial in x with adapted coefficients: a start, and a table of steps (s, t), each of which
/// makes p (square + s) + t of p. `square` is x^2. It takes half the multiplications.
template <const auto& kSteps, std::size_t Step = 0, class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real in_steps(const Real& start,
                                                               const Real& square) {
  if constexpr (2 * Step == kSteps.size())
    return start;
  else
    return in_steps<kSteps, Step + 1>(
        fused(start, square + kElement<kSteps, 2 * Step>, kElement<kSteps, 2 * Step + 1>), square);
}

UPCAST_HOST_DEVICE inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
UPCAST_HOST_DEVICE inline double from_bits(std::uint64_t x) { return std::bit_cast<double>(x); }
inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

UPCAST_HOST_DEVICE inline double magnitude(double x) { return from_bits(bits(x) & ~kSignBit); }
UPCAST_HOST_DEVICE inline float magnitude(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffff);
}
/// |x|, but at most `limit`, which is also the result for NaN.
UPCAST_HOST_DEVICE inline double magnitude_up_to(double x, double limit) {
  const auto size = static_cast<std::int64_t>(bits(x) & ~kSignBit);
  const auto most = static_cast<std::int64_t>(bits(limit));
  return from_bits(static_cast<std::uint64_t>(size < most ? size : most));
}
/// x, or -0 if it is below -0. NaN stays NaN.
UPCAST_HOST_DEVICE inline double positive_part(double x) { return x < -0.0 ? -0.0 : x; }
/// `x` with the sign of `sign`, for an x that is at least +0 or has that sign already.
UPCAST_HOST_DEVICE inline double with_sign(double x, double sign) {
  return from_bits(bits(x) | (bits(sign) & kSignBit));
}
UPCAST_HOST_DEVICE inline float with_sign(float x, float sign) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) |
                              (std::bit_cast<std::uint32_t>(sign) & 0x80000000));
}

/// 2^k for a value of kRounder + k, where -1022 <= k <= 1023.
UPCAST_HOST_DEVICE inline double power_of_two(double rounded) {
  return from_bits((bits(rounded) + 1023) << 52);
}

/// x 2^k for a value of kRounder + k, if x and the product are normal.
UPCAST_HOST_DEVICE inline double times_power_of_two(double x, double rounded) {
  return from_bits(bits(x) + (bits(rounded) << 52));
}

// Operations on the bit pattern of a float64.
UPCAST_HOST_DEVICE inline double pattern_plus(double x, std::uint64_t n) {
  return from_bits(bits(x) + n);
}
UPCAST_HOST_DEVICE inline double pattern_and(double x, std::uint64_t mask) {
  return from_bits(bits(x) & mask);
}
UPCAST_HOST_DEVICE inline double pattern_or(double x, std::uint64_t mask) {
  return from_bits(bits(x) | mask);
}
/// The sign and the exponent as a whole number: the pattern, shifted right by 52 bits.
UPCAST_HOST_DEVICE inline double upper_pattern(double x) { return from_bits(bits(x) >> 52); }

UPCAST_HOST_DEVICE inline double if_zero(double test, double then, double otherwise) {
  return test == 0 ? then : otherwise;
}
UPCAST_HOST_DEVICE inline double if_below(double test, double limit, double then,
                                          double otherwise) {
  return test < limit ? then : otherwise;
}

/// A positive normal number as 2^exponent (1 + excess), where 1 + excess is in [sqrt(1/2),
/// sqrt(2)). A logarithm subtracts minus_exponent, times a constant. For exponent 0 it so subtracts
/// +0, which leaves the sign of a zero: log(1 + -0) is -0.
template <class Real>
struct Binade {
  Real minus_exponent, excess;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Binade<Real> binade(const Real& x) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd,
                          kMantissa = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
  // Adding the bias makes the difference positive, so that a logical shift extracts the exponent.
  const Real shifted = pattern_plus(x, kBias - kRootOfHalf);
  const Real exponent = pattern_or(upper_pattern(shifted), 0x4330000000000000);
  const Real rest = pattern_plus(pattern_and(shifted, kMantissa), kRootOfHalf);
  return {(0x1p52 + 1024) - exponent, rest - 1};
}

/// log(1 + excess) for an excess of binade(). A zero is exact, and nothing cancels near it.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real log_of_excess(const Real& excess) {
  const Real s = excess / (2 + excess);
  return s * polynomial<kLog>(s * s);
}

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kLog2E = 0x1.71547652b82fep0;
inline constexpr double kPi = 0x1.921fb54442d18p1;
inline constexpr double kInfinity = __builtin_inf();
inline constexpr float kInfinityF = __builtin_inff();
inline constexpr double kNaN = __builtin_nan("");

/// x = k ln(2) + rest with `rounded` = kRounder + k, and the square of the rest.
template <class Real>
struct Reduced {
  Real rounded, rest, square;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Reduced<Real> reduced(const Real& x) {
  const Real rounded = fused(x, kLog2E, kRounder);
  const Real rest = fused(rounded - kRounder, -kLn2, x);
  return {rounded, rest, rest * rest};
}

/// exp(x) = 2^k (1 + growth) for |x| <= 700; `rounded` is kRounder + k. The error is 2^-38 of
/// exp(x) - 1, plus 2^-53 |x| because k ln(2) is rounded.
template <class Real>
struct Growth {
  Real growth, rounded;
};
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Growth<Real> exponential(const Reduced<Real>& x) {
  return {fused(x.square, polynomial<kExpm1>(x.rest), x.rest), x.rounded};
}
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real exp_of(const Reduced<Real>& x) {
  const Growth<Real> e = exponential(x);
  return times_power_of_two(1 + e.growth, e.rounded);
}
UPCAST_HOST_DEVICE inline double expm1_of(double x) {
  const Growth<double> e = exponential(reduced(x));
  const double scale = power_of_two(e.rounded);
  return std::fma(e.growth, scale, scale - 1);
}

/// exp(x) as above / below for |x| <= 700, for functions that divide anyway. With x = k ln(2) + r
/// and c = r / tanh(r / 2), exp(r) is (c + r) / (c - r), and c needs half the coefficients of
/// exp(r). `difference` is above - below, in which nothing cancels. The error is 2^-47 of exp(x) -
/// 1, plus 2^-53 |x|.
struct ExpQuotient {
  double above, below, difference;
};
UPCAST_HOST_DEVICE inline ExpQuotient exp_quotient(double x) {
  const double rounded = std::fma(x, kLog2E, kRounder);
  const double r = std::fma(rounded - kRounder, -kLn2, x);
  const double scale = power_of_two(rounded), square = r * r;
  const double centre = std::fma(square, horner<kExpCentre, 0, 1>(square), 2);
  return {times_power_of_two(centre + r, rounded), centre - r,
          std::fma(scale - 1, centre, (scale + 1) * r)};
}

/// exp(x) as above / below, both positive.
template <class Real>
struct Quotient {
  Real above, below;
};

/// exp(-x / 2) for |x| <= 1400. The error is 2^-42 of the result, plus 2^-54 |x|.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Quotient<Real> half_decay(const Real& x) {
  const Real rounded = fused(x, -0.5 * kLog2E, kRounder);
  const Real r = fused(rounded - kRounder, 2 * kLn2, x), square = r * r;
  const Real centre = horner<kExpHalfCentre, 0, 1>(square);
  return {times_power_of_two(centre - r, rounded), centre + r};
}

/// The logarithms of a positive normal number.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real log_of(const Binade<Real>& b) {
  return fused(b.minus_exponent, -kLn2, log_of_excess(b.excess));
}
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real log2_of(const Binade<Real>& b) {
  return fused(log_of_excess(b.excess), kLog2E, -b.minus_exponent);
}
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Real log10_of(const Binade<Real>& b) {
  constexpr double kLog10Of2 = 0x1.34413509f79ffp-2, kLog10E = 0x1.bcb7b1526e50ep-2;
  return fused(b.minus_exponent, -kLog10Of2, log_of_excess(b.excess) * kLog10E);
}
UPCAST_HOST_DEVICE inline double log_of(double x) { return log_of(binade(x)); }

/// 1 + x for x > -1. If it is near 1, the excess is x itself, so nothing is lost.
template <class Real>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline Binade<Real> one_plus(const Real& x) {
  const Binade<Real> b = binade(1 + x);
  return {b.minus_exponent, if_zero(b.minus_exponent, x, b.excess)};
}
UPCAST_HOST_DEVICE inline double log1p_of(double x) { return log_of(one_plus(x)); }

/// The logarithm's `value` for the argument x, with special cases replaced: `pole_value` if x is
/// `pole`, NaN if x is below it, and x itself if it is inf or NaN.
template <class Float>
UPCAST_HOST_DEVICE inline Float at_edges(Float value, std::type_identity_t<Float> x,
                                         std::type_identity_t<Float> pole,
                                         std::type_identity_t<Float> pole_value) {
  const Float finite = x == pole ? pole_value : value;
  const Float valid = x < pole ? static_cast<Float>(kNaN) : finite;
  return x < static_cast<Float>(kInfinity) ? valid : x + x;  // inf, or NaN that is quiet
}

/// x, but at least `low` and at most `high`; NaN stays NaN. Callers choose limits whose results are
/// beyond float32's range.
template <class Float>
UPCAST_HOST_DEVICE inline Float clamp(Float x, std::type_identity_t<Float> low,
                                      std::type_identity_t<Float> high) {
  const Float above = x < low ? low : x;
  return above > high ? high : above;
}

/// The `value` of a function of x, which is `left` below `low`, and `right` above `high`.
UPCAST_HOST_DEVICE inline float at_ends(float value, float x, float low, float left, float high,
                                        float right) {
  const float above = x < low ? left : value;
  return x > high ? right : above;
}

/// Whether rounding a positive `value` to float32 may give the wrong neighbour, if `value` has a
/// relative error of at most 2^-42. True if the value is close to the middle between two float32,
/// or is subnormal as a float32.
UPCAST_HOST_DEVICE inline bool rounds_in_doubt(double value) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << 29) - 1, kMiddle = std::uint64_t{1} << 28;
  constexpr std::uint64_t kError = std::uint64_t{1} << 11;
  constexpr std::uint64_t kLeast = std::bit_cast<std::uint64_t>(0x1p-152);
  constexpr std::uint64_t kNormal = std::bit_cast<std::uint64_t>(0x1p-125);
  const std::uint64_t code = bits(value);
  const bool near_middle = (code & kRest) - (kMiddle - kError) < 2 * kError;
  const bool subnormal = code - kLeast < kNormal - kLeast;
  return near_middle | subnormal;  // no branch
}

}  // namespace upcast::branchless
