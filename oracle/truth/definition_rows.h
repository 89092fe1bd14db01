// Helpers of the files with definitions: short names, and a row for exact ops.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "oracle/truth/definition.h"

namespace upcast::truth {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Doubles = std::span<const double>;
using Balls = std::span<const Ball>;
using Special = std::optional<Known>;

/// Makes the row of an op whose result F(operands) is exact, so that nothing is rounded.
template <auto F>
constexpr Definition exact_row(std::string_view op, std::string_view source,
                               AttributesFunction attributes = nullptr) {
  return {.op = op,
          .source = source,
          .special = [](Doubles x) -> Special { return Known(F(x)); },
          .attributes = attributes};
}

/// Exactly what a + b loses when it is rounded to float64. Source: Knuth's TwoSum.
inline double lost_by_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}

// Functions that give the attributes of activations and of their gradients.

/// The attributes of softplus: beta, the threshold, and whether the op computes in float32. The
/// threshold is only compared with. If all numbers or none exceed it, it is given as the largest
/// number of its sign.
inline std::vector<double> softplus_terms(const Call& call, DType common) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double threshold = in_compute_dtype(call.number("threshold", 20), common);
  return {in_compute_dtype(call.number("beta", 1), common),
          std::isnan(threshold) ? kLargest : std::clamp(threshold, -kLargest, kLargest),
          compute_dtype(common) == DType::kFloat32 ? 1.0 : 0.0};
}
inline std::vector<double> slope(const Call& call, DType common) {
  return {in_compute_dtype(call.number("negative_slope", 0.01), common)};
}
/// The attribute of gelu: 1 for the approximation by tanh, else 0.
inline std::vector<double> gelu_mode(const Call& call, DType) {
  const Argument& mode = call.argument("approximate");
  return {mode.tag == Argument::Tag::kText && mode.text == "tanh" ? 1.0 : 0.0};
}

}  // namespace upcast::truth
