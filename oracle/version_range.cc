#include "oracle/version_range.h"

#include <array>
#include <charconv>
#include <string>

#include "impl/core/error.h"

namespace upcast {
namespace {

using Parts = std::array<int, 4>;

/// Reads the numbers of "2.15.0" or "2.15.0+cu132". Returns false for a text of another form.
bool parse_version(std::string_view text, Parts& parts) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int& part : parts) {
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) return false;
    at = next;
    if (at == end || *at == '+') return true;
    if (*at++ != '.') return false;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool holds(const Parts& version, std::string_view condition, std::string_view range) {
  const std::size_t digits = condition.find_first_of("0123456789");
  const std::string_view op = trimmed(condition.substr(0, digits));
  Parts bound{};
  const bool sound =
      digits != std::string_view::npos && parse_version(condition.substr(digits), bound);
  if (sound && op == ">=") return version >= bound;
  if (sound && op == ">") return version > bound;
  if (sound && op == "<=") return version <= bound;
  if (sound && op == "<") return version < bound;
  if (sound && op == "==") return version == bound;
  if (sound && op == "!=") return version != bound;
  throw UsageError("'" + std::string(range) +
                   "' is not a range of versions; write one as \">=2.15,<2.16\"");
}

}  // namespace

bool version_in_range(std::string_view version, std::string_view range) {
  Parts parts{};
  const bool known = parse_version(version, parts);
  bool inside = true;
  for (std::string_view rest = trimmed(range); !rest.empty();) {
    const std::size_t comma = rest.find(',');
    inside = holds(parts, trimmed(rest.substr(0, comma)), range) && inside;
    rest = comma == std::string_view::npos ? "" : trimmed(rest.substr(comma + 1));
  }
  return trimmed(range).empty() || (known && inside);
}

}  // namespace upcast
