// -alpha of a subtraction, as c10::Scalar computes it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "impl/core/number.h"

namespace upcast::models {

/// As int64, where 0 has no sign and what lies above the range wraps; floating numbers as they are.
inline Number negated_as_scalar(const Number& alpha) {
  return alpha.visit([](auto value) -> Number {
    if constexpr (std::is_integral_v<decltype(value)>)
      return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
    else
      return Number(-value);
  });
}

}  // namespace upcast::models
