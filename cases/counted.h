// Counts in texts for people: "1 case", "45,782 cases".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace upcast {

/// A number with commas between thousands: "1,234,567".
inline std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first_digit = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first_digit + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

/// The noun for a count: `one` for 1, else `many`. Without `many`, the plural is `one` with an "s";
/// a plural such as "entries" must be given.
inline std::string noun(std::uint64_t number, std::string_view one, std::string_view many = "") {
  if (number == 1) return std::string(one);
  return many.empty() ? std::string(one) + 's' : std::string(many);
}

/// A count with its noun: "1 case", "1,234 cases", "0 cases".
inline std::string counted(std::int64_t number, std::string_view one, std::string_view many = "") {
  return grouped(number) + ' ' + noun(static_cast<std::uint64_t>(number), one, many);
}

}  // namespace upcast
