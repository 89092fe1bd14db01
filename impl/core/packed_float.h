// The narrow floating formats float16, bfloat16 and float8, each defined by one row of parameters.
// A conversion to them rounds once, to nearest, ties to even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "impl/core/host_device.h"

namespace upcast {

/// What a format gives for a value that rounds beyond its largest finite value.
enum class Overflow : std::uint8_t { kInfinity, kSaturate, kNaN };

struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  std::uint32_t max_code;  // code of the largest finite value, without its sign bit
  std::uint32_t nan_code;  // code that is written for every NaN
  Overflow overflow;
  bool negative_zero;  // false for "uz" formats, where the code of -0 is the NaN
  bool negative_nan;   // whether a NaN keeps its sign, as in LibTorch
};

inline constexpr FloatFormat kHalfFormat{5,    10,  15, 0x7bff, 0x7e00, Overflow::kInfinity,
                                         true, true};
inline constexpr FloatFormat kBFloat16Format{8,    7,    127, 0x7f7f, 0x7fc0, Overflow::kInfinity,
                                             true, false};
inline constexpr FloatFormat kE5M2Format{5, 2, 15, 0x7b, 0x7f, Overflow::kInfinity, true, true};
/// float8_e4m3fn turns infinities into its largest value, as LibTorch 2.15 does. Older versions
/// gave NaN for every value beyond the range.
inline constexpr FloatFormat kE4M3FNFormat{4, 3, 7, 0x7e, 0x7f, Overflow::kSaturate, true, true};
inline constexpr FloatFormat kE5M2FNUZFormat{5, 2, 16, 0x7f, 0x80, Overflow::kNaN, false, false};
inline constexpr FloatFormat kE4M3FNUZFormat{4, 3, 8, 0x7f, 0x80, Overflow::kNaN, false, false};

/// The value of a code, exact in float32. Every NaN code of the format gives NaN.
template <FloatFormat F>
UPCAST_HOST_DEVICE constexpr float decode_float(std::uint32_t code) {
  constexpr std::uint32_t kSign = 1U << (F.exponent_bits + F.mantissa_bits);
  const std::uint32_t magnitude = code & (kSign - 1);
  const float sign = code & kSign ? -1.F : 1.F;
  if (!F.negative_zero && code == kSign) return std::numeric_limits<float>::quiet_NaN();
  if (magnitude > F.max_code) {
    if (F.overflow == Overflow::kInfinity && magnitude == F.max_code + 1)
      return sign * std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    return code & kSign ? -kNan : kNan;  // a NaN's sign counts for signbit and copysign
  }
  const std::uint32_t fraction = magnitude & ((1U << F.mantissa_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> F.mantissa_bits);
  // The value is significand * 2^power, exact in float32: bfloat16's subnormal numbers are also
  // float32's.
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1U << F.mantissa_bits;
  const int power = (exponent == 0 ? 1 : exponent) - F.bias - F.mantissa_bits;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + power) << 52);
  return static_cast<float>(sign * static_cast<double>(significand) * scale);
}

/// The code of the representable number nearest to `value`, ties to even. A float64 is rounded only
/// once.
template <FloatFormat F>
UPCAST_HOST_DEVICE constexpr std::uint32_t encode_float(double value) {
  constexpr std::uint32_t kSign = 1U << (F.exponent_bits + F.mantissa_bits);
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = bits >> 63 ? kSign : 0;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  std::uint64_t significand = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint32_t beyond = F.overflow == Overflow::kInfinity   ? sign | (F.max_code + 1)
                               : F.overflow == Overflow::kSaturate ? sign | F.max_code
                                                                   : F.nan_code;
  if (exponent == 0x7ff && significand != 0) return F.nan_code | (F.negative_nan ? sign : 0);
  if (exponent == 0x7ff) return beyond;
  if (exponent == 0) return F.negative_zero ? sign : 0;  // float64 subnormals round to 0
  significand |= std::uint64_t{1} << 52;
  // The biased exponent in the target format. At 1 and below, numbers have the spacing of the
  // subnormals.
  const int target = exponent - 1023 + F.bias;
  const int shift = 52 - F.mantissa_bits + (target < 1 ? 1 - target : 0);
  if (shift > 54) return F.negative_zero ? sign : 0;
  const std::uint64_t kept = significand >> shift;
  const std::uint64_t rest = significand - (kept << shift);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1)) ? 1 : 0);
  // If target is 1 or more, `rounded` contains the leading one, which counts as one exponent step.
  // So only target - 1 is added to the exponent field.
  const std::uint64_t magnitude =
      rounded + (target > 1 ? static_cast<std::uint64_t>(target - 1) << F.mantissa_bits : 0);
  if (magnitude > F.max_code) return beyond;
  if (magnitude == 0 && !F.negative_zero) return 0;
  return sign | static_cast<std::uint32_t>(magnitude);
}

// Conversions of float16 and bfloat16 without branches, so that loops over tensors vectorise. They
// give the same results as decode_float and encode_float (packed_float_test).

UPCAST_HOST_DEVICE constexpr float decode_half(std::uint16_t code) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(code & 0x7fff) << 13;
  // The multiplication by 2^112 corrects the exponent's bias, also for subnormal numbers.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F;
  const std::uint32_t special = magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
  const std::uint32_t sign = static_cast<std::uint32_t>(code & 0x8000) << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

UPCAST_HOST_DEVICE constexpr std::uint16_t encode_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  // Adding 0.5 shifts a subnormal result to the lowest bits of the significand, and rounds it.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  const std::uint32_t normal = (magnitude - 0x38000000U + 0xfffU + (magnitude >> 13 & 1U)) >> 13;
  const std::uint32_t finite = magnitude < 0x38800000U ? subnormal : normal;
  const std::uint32_t bounded = magnitude >= 0x477ff000U ? 0x7c00U : finite;
  return static_cast<std::uint16_t>(sign | (magnitude > 0x7f800000U ? 0x7e00U : bounded));
}

UPCAST_HOST_DEVICE constexpr float decode_bfloat16(std::uint16_t code) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(code) << 16);
}

/// The code of the bfloat16 nearest to a number in the upper 16 bits. The lower bits mean nothing.
UPCAST_HOST_DEVICE constexpr std::uint32_t encode_number_above(float number) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(number);
  return bits + 0x7fffU + (bits >> 16 & 1U);
}

/// The same for a value that may be NaN.
UPCAST_HOST_DEVICE constexpr std::uint32_t encode_bfloat16_above(float value) {
  const bool is_nan = (std::bit_cast<std::uint32_t>(value) & 0x7fffffffU) > 0x7f800000U;
  return is_nan ? 0x7fc00000U : encode_number_above(value);
}

UPCAST_HOST_DEVICE constexpr std::uint16_t encode_bfloat16(float value) {
  return static_cast<std::uint16_t>(encode_bfloat16_above(value) >> 16);
}

/// A stored element of a narrow format: its code.
template <FloatFormat F, class Bits>
struct PackedFloat {
  static constexpr FloatFormat kFormat = F;
  Bits bits{};

  PackedFloat() = default;
  UPCAST_HOST_DEVICE explicit constexpr PackedFloat(double value)
      : bits(static_cast<Bits>(encode_float<F>(value))) {}
  UPCAST_HOST_DEVICE explicit constexpr PackedFloat(float value) : bits(encode(value)) {}
  UPCAST_HOST_DEVICE explicit constexpr operator float() const {
    if constexpr (kIsHalf)
      return decode_half(bits);
    else if constexpr (kIsBFloat16)
      return decode_bfloat16(bits);
    else
      return decode_float<F>(bits);
  }
  UPCAST_HOST_DEVICE static constexpr PackedFloat from_bits(Bits bits) {
    PackedFloat packed;
    packed.bits = bits;
    return packed;
  }

 private:
  static constexpr bool kIsHalf = F.mantissa_bits == 10;
  static constexpr bool kIsBFloat16 = F.mantissa_bits == 7;

  UPCAST_HOST_DEVICE static constexpr Bits encode(float value) {
    if constexpr (kIsHalf)
      return encode_half(value);
    else if constexpr (kIsBFloat16)
      return encode_bfloat16(value);
    else
      return static_cast<Bits>(encode_float<F>(value));
  }
};

using Half = PackedFloat<kHalfFormat, std::uint16_t>;
using BFloat16 = PackedFloat<kBFloat16Format, std::uint16_t>;
using Float8E5M2 = PackedFloat<kE5M2Format, std::uint8_t>;
using Float8E4M3FN = PackedFloat<kE4M3FNFormat, std::uint8_t>;
using Float8E5M2FNUZ = PackedFloat<kE5M2FNUZFormat, std::uint8_t>;
using Float8E4M3FNUZ = PackedFloat<kE4M3FNUZFormat, std::uint8_t>;

/// A power of two from 2^-127 to 2^127, in 8 bits without sign or zero; 0xff is NaN. A value
/// halfway between two powers rounds up. Everything below 2^-127, zero included, becomes 2^-127.
struct Float8E8M0FNU {
  static constexpr FloatFormat kFormat{8, 0, 127, 0xfe, 0xff, Overflow::kNaN, true, true};
  std::uint8_t bits{};

  Float8E8M0FNU() = default;
  UPCAST_HOST_DEVICE explicit constexpr Float8E8M0FNU(double value) {
    const std::uint64_t double_bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(double_bits >> 52 & 0x7ff) - 1023;
    const bool rounds_up = (double_bits >> 51 & 1) != 0;  // whether the significand is 1.5 or more
    const int code = exponent < -127 ? 0 : exponent + 127 + (rounds_up ? 1 : 0);
    bits = static_cast<std::uint8_t>(exponent == 1024 || code > 254 ? 0xff : code);
  }
  UPCAST_HOST_DEVICE explicit constexpr Float8E8M0FNU(float value)
      : Float8E8M0FNU(static_cast<double>(value)) {}
  UPCAST_HOST_DEVICE explicit constexpr operator float() const {
    if (bits == 0xff) return std::numeric_limits<float>::quiet_NaN();
    return bits == 0 ? std::bit_cast<float>(0x00400000U)
                     : std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 23);
  }
  UPCAST_HOST_DEVICE static constexpr Float8E8M0FNU from_bits(std::uint8_t bits) {
    Float8E8M0FNU packed;
    packed.bits = bits;
    return packed;
  }
};

}  // namespace upcast
