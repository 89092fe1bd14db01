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

/// Rounds an exact value to a dtype, in one step.
///
/// A finite float64 becomes the nearest value of a floating `dtype`, ties to even, subnormals as
/// IEEE 754-2019, 3.3 and 7.5. The float64 may itself come from a longer number, if it was rounded
/// to odd. Rounding to odd with two digits more makes the second rounding harmless (Boldo and
/// Melquiond, "Emulation of FMA and correctly rounded sums", 2008). A value out of range becomes
/// what the dtype's cast makes of it: an infinity, or NaN in a dtype without one. NaN and
/// infinities pass through that cast too. A bool is not rounded.
double round_once(DType dtype, double value);

/// Rounds to a dtype of at most 16 bits by the dtype's own cast. It is slower than round_once(); a
/// test compares the two.
double round_with_cast(DType dtype, double value);

/// Rounds a finite number of any length to a dtype, in one step.
double round_once(DType dtype, const arf_t exact);

/// A fast way to round to float16 and bfloat16. It decides nearly every element of a sweep over all
/// pairs of their values.
class SafeRounding {
 public:
  /// For any other dtype than float16 and bfloat16 the object never gives a value.
  explicit SafeRounding(DType dtype);

  /// The value to which every number within `error` of `value` rounds. Nothing if they may round to
  /// different values, or beyond the range. If the error is 0, `value` is exact, and a tie goes to
  /// the even neighbour. `value` may be any float64.
  std::optional<double> operator()(double value, double error) const {
    const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
    const int place = std::max(biased - 1023 + relative_place_, least_place_);
    const double steps = value * power_of_two(-place);  // exact
    // A sum with this constant has no digits below 1, so it is rounded to the nearest integer.
    constexpr double kShift = 0x1.8p52;
    const double whole = (steps + kShift) - kShift;
    constexpr double kBelowHalf = 0.5 - 0x1p-30;
    constexpr double kQuarter = 0.25;  // in steps: below a power of two, the steps are half as long
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

  double largest_ = -1;     // the largest finite value; -1: the dtype has no short way
  int relative_place_ = 0;  // exponent of one ulp, less the exponent of the value
  int least_place_ = 0;     // exponent of the smallest subnormal value
};

/// The SafeRounding of a dtype, which is made once.
const SafeRounding& safe_rounding(DType dtype);

}  // namespace upcast::truth
