// pow of float32: exp2(y log2(x)) in float64 without branches, rounded once.
#pragma once

#include <limits>

#include "impl/math/branchless.h"

namespace upcast::branchless {

/// log2(x), where x is a normal positive double. Relative error below 2^-50.
UPCAST_HOST_DEVICE inline double precise_log2(double x) {
  const Binade b = binade(x);
  const double s = b.excess / (2 + b.excess);
  const double square = s * s;
  const double logarithm = std::fma(s * square, polynomial<kLogDouble>(square), 2 * s);
  return std::fma(logarithm, kLog2E, b.exponent);
}

/// 2^x for |x| <= 1000. Relative error below 2^-51.
UPCAST_HOST_DEVICE inline double precise_exp2(double x) {
  const double rounded = x + kRounder;
  const double r = (x - (rounded - kRounder)) * kLn2;
  return std::fma(std::fma(r * r, polynomial<kExpm1Double>(r), r), power_of_two(rounded),
                  power_of_two(rounded));
}

/// The code of the NaN that a function gives where it does not know the result: a code that no
/// operation gives.
inline constexpr std::uint32_t kUnknownCode = 0x7fc0d0bb;
inline constexpr double kUnknown = std::bit_cast<double>(
    (std::uint64_t{0x7ff} << 52) | std::uint64_t{kUnknownCode & 0x7fffff} << 29);
UPCAST_HOST_DEVICE inline bool is_known(float x) {
  return std::bit_cast<std::uint32_t>(x) != kUnknownCode;
}

/// x^y rounded once, where `is_known`: unknown are the results in doubt, and those of zeros,
/// infinities and NaN.
UPCAST_HOST_DEVICE inline float pow_mostly(float x, float y) {
  const double base = x, exponent = y;
  const double size = precise_exp2(clamp(exponent * precise_log2(magnitude(base)), -160, 130));
  // from 2^24 on every float32 is an even integer
  const double turns = 0.5 * clamp(exponent, -0x1p25, 0x1p25);
  const double odd = turns - ((turns + kRounder) - kRounder);               // 0 for an even integer
  const double fraction = 2 * turns - ((2 * turns + kRounder) - kRounder);  // 0 for an integer
  const double of_odd = odd == 0 ? size : -size;
  const double of_negative = fraction == 0 ? of_odd : kNaN;
  const double value = base < 0 ? of_negative : size;
  // x - x is NaN for an infinity
  const bool ordinary = (base != 0) & (base - base == 0) & (exponent - exponent == 0);
  return static_cast<float>(ordinary & !rounds_in_doubt(size) ? value : kUnknown);
}

}  // namespace upcast::branchless
