#pragma once

#include <cstdint>
#include <string>

namespace upcast::reports {

/// 1234567 -> "1,234,567".
inline std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first_digit = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first_digit + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace upcast::reports
