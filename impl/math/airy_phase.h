// The phase of Ai(-x) for any size of x: 2/3 x^(3/2) + pi/4, reduced modulo pi/2. x^(3/2) of the
// largest double has 1536 bits before the point, so the computation uses 1700 bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "impl/math/angle_reduction.h"

namespace upcast::internal {

/// Numbers below 1 are held exactly, as digits of base 2^24; digit i has the weight 2^(-24 (i +
/// 1)). Until carry() is called, a digit may be negative, or larger than the base.
inline constexpr int kDigitBits = 24;
inline constexpr double kDigitBase = 0x1p24;
inline constexpr int kPhaseDigits = 74;

/// The i-th 24-bit digit of 4 / (3 pi). The phase 2/3 x^(3/2) is 4 / (3 pi) x^(3/2) quarter turns.
UPCAST_HOST_DEVICE constexpr std::int64_t four_over_three_pi(int i) {
  constexpr std::int32_t kDigits[] = {
      0x6ca657, 0x9eded8, 0x0e1bfd, 0x6f8fe1, 0x4e233e, 0x809241, 0xb910d2, 0xd7b581, 0x543642,
      0x72947d, 0x2e4124, 0xc2f426, 0xd6de8c, 0x955986, 0x1f46b1, 0x366168, 0xa96947, 0x68761b,
      0xc4d49b, 0x01794e, 0x1f2783, 0x034668, 0x4ac478, 0x3fa980, 0xd10be4, 0x26578c, 0xd14dbd,
      0xad9507, 0xd3fb70, 0x276aa5, 0xbaaa94, 0x03bab5, 0x4a1f61, 0x07915c, 0x48bf9e, 0x24548a,
      0x1a875b, 0xcf8a2e, 0xd4ef14, 0x3ff173, 0xa36fd1, 0xda9d43, 0xf65228, 0xaf7bfa, 0x5c370c,
      0x9c47fc, 0xea7615, 0x08e8b0, 0x395775, 0x84a852, 0x47c7f5, 0xdfd2c0, 0x674d79, 0x691bed,
      0x0b963f, 0x441205, 0x991103, 0x94b86a, 0xf02b09, 0x553b00, 0x33a21a, 0x20aeae, 0xb8e486,
      0xf7c5db, 0x95ec52, 0x805d9c, 0xda82bb, 0xd79a89, 0x3df006, 0x1c5791, 0x2da45d, 0x0ebdc4,
      0x93ca2d, 0xe0e4bb};
  return kDigits[i];
}

/// Writes the digits of a fraction from 2^-19 to 1. Three digits hold a double.
UPCAST_HOST_DEVICE inline void set_digits(double fraction, std::int64_t* digits) {
  for (int i = 0; i < 3; ++i) {
    const double digit = std::floor(fraction * kDigitBase);
    digits[i] = static_cast<std::int64_t>(digit);
    fraction = fraction * kDigitBase - digit;
  }
}

/// Writes the first `count` digits of the square root of a double from 1/4 to 1. Each step adds
/// rest / (2 root) to the root, which makes the rest, square - root^2, smaller by about a digit.
UPCAST_HOST_DEVICE inline void set_root_digits(double square, std::int64_t* root, int count) {
  std::int64_t rest[kPhaseDigits + 4] = {};
  set_digits(square, rest);
  const double start = std::sqrt(square);
  for (int k = 0; k < count; ++k) {
    if (k > 0) rest[k] += rest[k - 1] << kDigitBits;
    const double next = static_cast<double>(rest[k + 1]) / kDigitBase +
                        static_cast<double>(rest[k + 2]) / (kDigitBase * kDigitBase);
    const double digit =
        k == 0 ? start * kDigitBase : (static_cast<double>(rest[k]) + next) / (2 * start);
    root[k] = static_cast<std::int64_t>(std::rint(digit));
    for (int i = 0; i < k && i + k + 1 < count + 3; ++i) rest[i + k + 1] -= 2 * root[i] * root[k];
    if (2 * k + 1 < count + 3) rest[2 * k + 1] -= root[k] * root[k];
  }
}

/// Carries, so that each digit but the first is from 0 to 2^24 - 1.
UPCAST_HOST_DEVICE inline void carry(std::int64_t* digits, int count) {
  for (int i = count - 1; i > 0; --i) {
    digits[i - 1] += digits[i] >> kDigitBits;
    digits[i] &= (1 << kDigitBits) - 1;
  }
}

/// The reduced phase of Ai(-x), for a finite x >= 4.
UPCAST_HOST_DEVICE inline ReducedAngle airy_phase(double x) {
  int exponent;
  double fraction = std::frexp(x, &exponent);
  if (exponent % 2 != 0) {
    fraction /= 2;
    ++exponent;
  }
  // x^(3/2) = fraction^(3/2) * 2^shift. Products in front of digit `first` are multiples of four
  // quarter turns, and are left out.
  const int shift = 3 * exponent / 2;
  const int first = (shift - 2) / kDigitBits;
  constexpr int kKept = 9;  // seven of the nine digits, 168 bits, lie after the point
  const int count = first + kKept + 1;
  std::int64_t square[3];
  std::int64_t root[kPhaseDigits];
  set_digits(fraction, square);
  set_root_digits(fraction, root, count);
  std::int64_t power[kPhaseDigits + 3] = {};  // fraction^(3/2)
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < count; ++k) power[i + k + 1] += square[i] * root[k];
  carry(power, count + 3);
  std::int64_t phase[kKept] = {};
  for (int n = 0; n < kKept; ++n)
    for (int i = 0; i < first + n; ++i)
      phase[n] += four_over_three_pi(i) * power[first + n - 1 - i];
  carry(phase, kKept);
  phase[0] &= (1 << kDigitBits) - 1;
  const double weight = std::ldexp(1.0, shift - kDigitBits * (first + 2));
  // Adds pi/4, which is half a quarter turn.
  const double head =
      (static_cast<double>(phase[0]) * kDigitBase + static_cast<double>(phase[1])) * weight + 0.5;
  const double quarters = std::rint(head);
  DoubleDouble rest = 0;
  for (int n = kKept - 1; n > 1; --n)
    rest = scaled(rest + DoubleDouble(static_cast<double>(phase[n])), 1 / kDigitBase);
  rest = DoubleDouble(head - quarters) + scaled(rest, weight);
  return {rest * kHalfPi, static_cast<int>(static_cast<std::int64_t>(quarters) & 3)};
}

}  // namespace upcast::internal
