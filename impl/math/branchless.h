// What the branch-free functions are made of. They hold multiplications, additions, selections and
// bit casts on lanes of 64 bits, so that a loop over them is vectorised, and so that an element's
// bits do not depend on the width of the vector that it was in: the compiler fuses nothing
// (-ffp-contract=off), and what is fused here is fused on every processor. One without FMA has
// glibc's function, with the same bits, which is slow.
//
// GCC needs -O3 -fno-trapping-math -fno-math-errno to vectorise them.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "impl/math/float_coefficients.h"
#include "impl/math/polynomial.h"

namespace upcast::branchless {

/// 1.5 * 2^52: added to a double below 2^51 in magnitude, it rounds that to an integer, which the
/// low bits of the sum hold.
inline constexpr double kRounder = 0x1.8p52;

/// Every `Step`th of the coefficients from `First` on, lowest power first, by Horner's rule.
template <const auto& kTable, std::size_t First, std::size_t Step>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline double horner(double x) {
  if constexpr (First + Step >= kTable.size())
    return kElement<kTable, First>;
  else
    return std::fma(x, horner<kTable, First + Step, Step>(x), kElement<kTable, First>);
}

/// The polynomial with these coefficients, lowest power first. Even and odd powers are summed
/// apart: two independent dependency chains, so that the CPU can overlap them.
template <const auto& kTable>
[[gnu::always_inline]] UPCAST_HOST_DEVICE inline double polynomial(double x) {
  return std::fma(x, horner<kTable, 1, 2>(x * x), horner<kTable, 0, 2>(x * x));
}

UPCAST_HOST_DEVICE inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
UPCAST_HOST_DEVICE inline double from_bits(std::uint64_t x) { return std::bit_cast<double>(x); }
inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

UPCAST_HOST_DEVICE inline double magnitude(double x) { return from_bits(bits(x) & ~kSignBit); }
/// `x` >= 0 with the sign of `sign`.
UPCAST_HOST_DEVICE inline double with_sign(double x, double sign) {
  return from_bits(bits(x) | (bits(sign) & kSignBit));
}

/// 2^k, where `rounded` is kRounder + k and -1022 <= k <= 1023.
UPCAST_HOST_DEVICE inline double power_of_two(double rounded) {
  return from_bits((bits(rounded) + 1023) << 52);
}

/// x = 2^exponent (1 + excess), where 1 + excess is in [sqrt(1/2), sqrt(2)); x > 0 and normal.
struct Binade {
  double exponent, excess;
};
UPCAST_HOST_DEVICE inline Binade binade(double x) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
  // The bias makes the value positive, so that a logical shift divides it.
  const std::uint64_t shifted = (bits(x) - kRootOfHalf + kBias) >> 52;
  const double exponent = from_bits(shifted | 0x4330000000000000) - (0x1p52 + 1024);
  return {exponent, from_bits(bits(x) - ((shifted - 1024) << 52)) - 1};
}

/// log(1 + excess) within a binade; exact zeros, and no cancellation near them.
UPCAST_HOST_DEVICE inline double log_of_excess(double excess) {
  const double s = excess / (2 + excess);
  return s * polynomial<kLog>(s * s);
}

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kLog2E = 0x1.71547652b82fep0;
inline constexpr double kPi = 0x1.921fb54442d18p1;
inline constexpr double kInfinity = __builtin_inf();
inline constexpr double kNaN = __builtin_nan("");

/// exp(x) - 1 = growth + scale - 1 with scale a power of two; |x| <= 700. The error is 2^-38 of
/// the result and, because k ln(2) is rounded, 2^-53 |x|.
struct Growth {
  double growth, scale;
};
UPCAST_HOST_DEVICE inline Growth exponential(double x) {
  const double rounded = std::fma(x, kLog2E, kRounder);
  const double r = std::fma(rounded - kRounder, -kLn2, x);
  const double scale = power_of_two(rounded);
  return {scale * std::fma(r * r, polynomial<kExpm1>(r), r), scale};
}
UPCAST_HOST_DEVICE inline double exp_of(double x) {
  const Growth e = exponential(x);
  return e.growth + e.scale;
}
UPCAST_HOST_DEVICE inline double expm1_of(double x) {
  const Growth e = exponential(x);
  return e.growth + (e.scale - 1);
}

/// log(x), where x is a normal positive double.
UPCAST_HOST_DEVICE inline double log_of(double x) {
  const Binade b = binade(x);
  return std::fma(b.exponent, kLn2, log_of_excess(b.excess));
}
/// log(1 + x) for x > -1: within the binade of 1 the excess is x itself.
UPCAST_HOST_DEVICE inline double log1p_of(double x) {
  const Binade b = binade(1 + x);
  return std::fma(b.exponent, kLn2, log_of_excess(b.exponent == 0 ? x : b.excess));
}

/// `value`, replaced where the logarithm's argument is 0 (by `pole`), negative, NaN or infinite.
UPCAST_HOST_DEVICE inline double at_edges(double value, double x, double pole, double pole_value) {
  const double finite = x == pole ? pole_value : value;
  const double valid = x < pole ? kNaN : finite;
  return x < kInfinity ? valid : x;  // inf and NaN
}

/// Beyond these limits a clamped value is past float32's range on that side; NaN stays.
UPCAST_HOST_DEVICE inline double clamp(double x, double low, double high) {
  const double above = x < low ? low : x;
  return above > high ? high : above;
}

/// Whether the float32 next to `value` > 0 is in doubt, if `value` is off by at most 2^-42 of
/// itself: it lies so near the middle between two, or is subnormal as a float32.
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
