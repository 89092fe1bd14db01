// Days of the calendar as texts, "2026-11-22": the day on which a known difference was found, the
// day on which a run began.
#pragma once

#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>

namespace upcast {

/// Reads "YYYY-MM-DD"; nothing for a text of another form or a day that does not exist.
inline std::optional<std::chrono::sys_days> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [text](std::size_t at, std::size_t size) -> std::optional<unsigned> {
    unsigned value = 0;
    const char* const end = text.data() + at + size;
    const auto read = std::from_chars(text.data() + at, end, value);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return value;
  };
  const std::optional<unsigned> year = number(0, 4);
  const std::optional<unsigned> month = number(5, 2);
  const std::optional<unsigned> day = number(8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

}  // namespace upcast
