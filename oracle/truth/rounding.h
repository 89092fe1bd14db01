// An exact value, rounded once to a dtype.
#pragma once

#include <arf.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "impl/core/dtype.h"

namespace upcast::truth {

/// Rounds an exact value to a dtype. A bool is not rounded. A finite float64 that is exact, or was
/// rounded to odd from more digits, becomes the nearest value of a floating `dtype`, ties to even,
/// subnormals as IEEE 754-2019, 3.3 and 7.5. Out of range it becomes what the dtype's cast makes of
/// it (an infinity, or NaN in a dtype without one). NaN and infinities pass through that cast too.
/// Source: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008: rounding to
/// odd with two digits more makes the second rounding harmless.
double round_once(DType dtype, double value);

/// What round_once gives for a dtype of at most 16 bits, by the dtype's own cast. It is slower; a
/// test compares both.
double round_with_cast(DType dtype, double value);

/// As round_once, for a number of any length. `exact` is finite.
double round_once(DType dtype, const arf_t exact);

/// The short way to round to float16 and bfloat16, which decides nearly every element of a sweep
/// over all their pairs.
class SafeRounding {
 public:
  /// Of any other dtype nothing is told.
  explicit SafeRounding(DType dtype);

  /// What every number rounds to that lies within `error` of the value. Nothing where they may
  /// round differently, or beyond the range. Without an error the value is exact: a tie goes to
  /// the even neighbour. The value may be any float64.
  std::optional<double> operator()(double value, double error) const {
    const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
    const int place = std::max(biased - 1023 + relative_place_, least_place_);
    const double steps = value * power_of_two(-place);  // exact
    // Adding this leaves no digit below 1. Rounding is to nearest, as everywhere.
    constexpr double kShift = 0x1.8p52;
    const double whole = (steps + kShift) - kShift;
    constexpr double kBelowHalf = 0.5 - 0x1p-30;
    constexpr double kQuarter = 0.25;  // below a power of two, steps are half as long
    const double error_steps = error * power_of_two(-place);
    const bool agree = error == 0 || (error < std::abs(value) &&  // all have one sign
                                      error_steps < kQuarter &&
                                      std::abs(steps - whole) + error_steps < kBelowHalf);
    const double rounded = std::copysign(whole * power_of_two(place), value);
    if (!agree || !(std::abs(rounded) <= largest_)) return std::nullopt;
    return rounded;
  }

 private:
  static double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  }

  double largest_ = -1;     // below every magnitude: nothing is told
  int relative_place_ = 0;  // the exponent of one ulp, from that of the value
  int least_place_ = 0;     // that of the smallest subnormal value
};

/// The one of a dtype.
const SafeRounding& safe_rounding(DType dtype);

}  // namespace upcast::truth
