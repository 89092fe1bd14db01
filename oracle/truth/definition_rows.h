// What the files share that hold definitions: shorter names, and a row of an exact op.
#pragma once

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

/// An op whose result F(operands) is exact: nothing is rounded.
template <auto F>
constexpr Definition exact_row(std::string_view op, std::string_view source,
                               AttributesFunction attributes = nullptr) {
  return {.op = op,
          .source = source,
          .special = [](Doubles x) -> Special { return Known(F(x)); },
          .attributes = attributes};
}

}  // namespace upcast::truth
