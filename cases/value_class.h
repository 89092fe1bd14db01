// Value classes: how the elements of tensors are made that the case does not spell out.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace upcast {

enum class ValueClass : std::uint8_t {
  kSmall,       // a few numbers below 100, different for each argument
  kSpecial,     // zeros, limits, their neighbours, subnormals, NaN, infinities
  kRandom,      // any bits
  kConsecutive  // every bit pattern in order
};

inline constexpr std::array<std::string_view, 4> kValueClassNames{"small", "special", "random",
                                                                  "consecutive"};

constexpr std::string_view name(ValueClass value_class) {
  return kValueClassNames[static_cast<int>(value_class)];
}

}  // namespace upcast
