// pow of float32. It is computed as exp2(y log2(x)) in float64, without branches, and rounded once.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "impl/math/branchless.h"

namespace upcast::branchless {

/// log2(x) for a positive normal double. The relative error is below 2^-50.
UPCAST_HOST_DEVICE inline double precise_log2(double x) {
  const Binade b = binade(x);
  const double s = b.excess / (2 + b.excess);
  const double square = s * s;
  const double logarithm = std::fma(s * square, polynomial<kLogDouble>(square), 2 * s);
  return std::fma(logarithm, kLog2E, -b.minus_exponent);
}

/// 2^x for |x| <= 1000. The relative error is below 2^-51.
UPCAST_HOST_DEVICE inline double precise_exp2(double x) {
  const double rounded = x + kRounder;
  const double r = (x - (rounded - kRounder)) * kLn2;
  return std::fma(std::fma(r * r, polynomial<kExpm1Double>(r), r), power_of_two(rounded),
                  power_of_two(rounded));
}

/// The bit pattern of a NaN by which a function says that it does not know the result. No operation
/// gives this pattern.
inline constexpr std::uint32_t kUnknownCode = 0x7fc0d0bb;
inline constexpr float kUnknown = std::bit_cast<float>(kUnknownCode);
UPCAST_HOST_DEVICE inline bool is_known(float x) {
  return std::bit_cast<std::uint32_t>(x) != kUnknownCode;
}

/// x^y rounded once, or the NaN of kUnknownCode. The result is unknown if its rounding is in doubt,
/// or if x or y is zero, infinite or NaN; is_known() tells.
UPCAST_HOST_DEVICE inline float pow_mostly(float x, float y) {
  const double magnitude_of_base = magnitude(static_cast<double>(x));
  const double size = precise_exp2(clamp(y * precise_log2(magnitude_of_base), -160, 130));
  const float rounded = static_cast<float>(size);
  // Whether y is whole, and odd, is asked in float32: a vector has twice as many of them.
  const float half = 0.5F * y;
  const float of_whole = std::rint(half) == half ? rounded : -rounded;
  const float of_negative = std::rint(y) == y ? of_whole : static_cast<float>(kNaN);
  const float value = x < 0 ? of_negative : rounded;
  // x - x is 0 for finite numbers, and NaN for infinities and NaN.
  const bool ordinary = (x != 0) & (x - x == 0) & (y - y == 0);
  return ordinary & !rounds_in_doubt(size) ? value : kUnknown;
}

}  // namespace upcast::branchless
