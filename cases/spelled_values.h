// Tells whether cases spell elements out. Selectors and the coverage of campaigns count such cases
// as a value class of their own.
#pragma once

#include <algorithm>
#include <string_view>

#include "cases/case.h"

namespace upcast {

inline constexpr std::string_view kSpelledValues = "spelled";

inline bool spells_values(const Operand& operand) { return !operand.values.empty(); }

/// Whether the case spells out the elements of an argument.
inline bool spells_values(const Case& c) {
  return std::any_of(c.arguments.begin(), c.arguments.end(),
                     [](const Operand& operand) { return spells_values(operand); });
}

}  // namespace upcast
