// Reduces an angle of any size by multiples of pi/2. The rest is a sum of two doubles. Source:
// Payne and Hanek, "Radian reduction for trigonometric functions" (1983); below 2^40 the method of
// Cody and Waite.
#pragma once

#include <cmath>
#include <cstdint>

#include "impl/math/double_double.h"

namespace upcast {

inline constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
/// The part of pi/2 that kHalfPi lacks: pi/2 - kHalfPi.
inline constexpr double kHalfPiRest = -0x1.f1976b7ed8fbcp-110;

/// A reduced angle: quarters * pi/2 + rest. |rest| is at most about pi/4; `quarters` is modulo 4.
struct ReducedAngle {
  DoubleDouble rest;
  int quarters;
};

namespace internal {

/// The i-th word of 32 bits of 2/pi. Its highest bit has the weight 2^-(32 i + 1).
UPCAST_HOST_DEVICE constexpr std::uint32_t two_over_pi(int i) {
  constexpr std::uint32_t kWords[] = {
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
      0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
      0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
      0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
      0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  return kWords[i];
}

/// The i-th word of 32 bits of 2 ln(2)/pi. Its highest bit has the weight 2^-(32 i + 1).
UPCAST_HOST_DEVICE constexpr std::uint32_t two_ln2_over_pi(int i) {
  constexpr std::uint32_t kWords[] = {
      0x70f7263d, 0xfa5a6eec, 0xb608582e, 0x55fef3dd, 0x8e13becd, 0x1d495c36, 0x1d72013a,
      0xea9f8fca, 0x76e866fc, 0x9b48be48, 0x15f5cb6f, 0xd8bee211, 0x0394db30, 0x20d6eb52,
      0x30ffa9ae, 0x90cbc735, 0x51358ced, 0x67c0db3c, 0x490d15bd, 0xd91a29f5, 0x682402af,
      0x5e8f9c23, 0xbff15cbc, 0x71f05fed, 0xfe0bb062, 0x2a8c8f67, 0x7309c45a, 0x7502282a,
      0xead0c243, 0x5c5527bb, 0x759f345e, 0x2d0628e8, 0xb1a563a2, 0x53e62918, 0xea5ffdab,
      0xeac0d479, 0xcfedb1b6, 0xfc78b439};
  return kWords[i];
}

/// Angles below this limit are reduced by the method of Cody and Waite, others by that of Payne and
/// Hanek.
inline constexpr double kLargestMultiple = 0x1p40;

/// Reduces x times a constant, for x >= 2^40. `Word` gives the bits of the constant in quarter
/// turns. Words whose product is a multiple of four turns are left out. The seven words after them
/// give 222 bits of the fraction.
template <std::uint32_t (*Word)(int)>
UPCAST_HOST_DEVICE ReducedAngle reduce_by_table(double x) {
  int exponent;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;  // now x = mantissa * 2^exponent
  const int first = exponent >= 2 ? (exponent - 2) / 32 : -1;
  const auto word = [first](int i) { return first + i < 0 ? 0 : Word(first + i); };
  constexpr int kWords = 7;
  // The product of the mantissa and the words, modulo 2^(32 kWords). product[0] is the highest
  // word.
  std::uint32_t product[kWords] = {};
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = half == 0 ? mantissa & 0xffffffff : mantissa >> 32;
    std::uint64_t carry = 0;
    for (int i = kWords - 1; i >= half; --i) {
      const std::uint64_t sum = factor * word(i) + product[i - half] + carry;
      product[i - half] = static_cast<std::uint32_t>(sum);
      carry = sum >> 32;
    }
  }
  // Shifts the bits of whole turns out. Two bits, the quarters, stay before the fraction.
  const int shift = 30 + exponent - 32 * (first + 1);
  for (int i = 0; shift > 0 && i < kWords; ++i)
    product[i] = (product[i] << shift) | (i + 1 < kWords ? product[i + 1] >> (32 - shift) : 0);
  int quarters = static_cast<int>(product[0] >> 30);
  double head = static_cast<double>(product[0] & 0x3fffffff);
  if (head >= 0x1p29) {
    head -= 0x1p30;
    ++quarters;
  }
  DoubleDouble fraction = 0;
  for (int i = kWords - 1; i > 0; --i)
    fraction = scaled(fraction + DoubleDouble(static_cast<double>(product[i])), 0x1p-32);
  fraction = scaled(DoubleDouble(head) + fraction, 0x1p-30);
  return {fraction * kHalfPi, quarters & 3};
}

UPCAST_HOST_DEVICE inline ReducedAngle negated(ReducedAngle a) {
  return {-a.rest, (4 - a.quarters) & 3};
}

/// The angle minus k quarter turns, for an angle below 2^45 in magnitude. The products are exact,
/// and so are the sums except for their low parts. The error is 2^-160 of the angle.
UPCAST_HOST_DEVICE inline DoubleDouble rest_of_quarters(DoubleDouble angle, double k) {
  const DoubleDouble first = two_product(k, kHalfPi.hi), second = two_product(k, kHalfPi.lo);
  const DoubleDouble difference = two_sum(angle.hi - first.hi, -first.lo);
  const DoubleDouble rest = two_sum(difference.hi, -second.hi);
  const double low = (rest.lo + difference.lo) + ((angle.lo - second.lo) - k * kHalfPiRest);
  return two_sum(rest.hi, low);
}

/// Reduces an angle below 2^45 in magnitude.
UPCAST_HOST_DEVICE inline ReducedAngle reduce_by_parts(DoubleDouble angle) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  const double k = std::rint(angle.hi * kTwoOverPi);
  if (k == 0) return {angle, 0};
  return {rest_of_quarters(angle, k), static_cast<int>(static_cast<std::int64_t>(k) & 3)};
}

/// Reduces an angle below 3.2 in magnitude. For it, pi/2 rounded to 106 bits is precise enough.
UPCAST_HOST_DEVICE inline ReducedAngle reduce_half_turn(double angle) {
  const double k = std::rint(angle * (1 / kHalfPi.hi));
  if (k == 0) return {angle, 0};
  return {two_sum(angle - k * kHalfPi.hi, -k * kHalfPi.lo), static_cast<int>(k) & 3};
}

}  // namespace internal

/// Reduces a finite angle to quarter turns and a rest.
UPCAST_HOST_DEVICE inline ReducedAngle reduce_angle(double angle) {
  if (!(std::abs(angle) >= internal::kLargestMultiple)) return internal::reduce_by_parts(angle);
  const ReducedAngle reduced = internal::reduce_by_table<internal::two_over_pi>(std::abs(angle));
  return angle < 0 ? internal::negated(reduced) : reduced;
}

/// Reduces the exact sum of two doubles. The rest keeps its digits even if the two parts of the sum
/// cancel near a multiple of pi/2.
UPCAST_HOST_DEVICE inline ReducedAngle reduce_exact_sum(DoubleDouble angle) {
  const ReducedAngle high = reduce_angle(angle.hi), low = reduce_angle(angle.lo);
  const ReducedAngle sum = internal::reduce_by_parts(high.rest + low.rest);
  return {sum.rest, (high.quarters + low.quarters + sum.quarters) & 3};
}

/// Reduces an angle that was rounded to two doubles. The result is as precise as such an angle:
/// 2^-106 of it.
UPCAST_HOST_DEVICE inline ReducedAngle reduce_angle(DoubleDouble angle) {
  return std::abs(angle.hi) < internal::kLargestMultiple ? internal::reduce_by_parts(angle)
                                                         : reduce_exact_sum(angle);
}

/// Reduces the angle x ln(2).
UPCAST_HOST_DEVICE inline ReducedAngle reduce_multiple_of_ln2(double x) {
  if (!(std::abs(x) >= internal::kLargestMultiple))
    return internal::reduce_by_parts(kLn2 * DoubleDouble(x));
  const ReducedAngle reduced = internal::reduce_by_table<internal::two_ln2_over_pi>(std::abs(x));
  return x < 0 ? internal::negated(reduced) : reduced;
}

}  // namespace upcast
