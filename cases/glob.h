// Patterns of names.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace upcast {

/// Shell-like: '*' stands for any characters, '{a,b}' for one of them.
inline bool matches_glob(std::string_view pattern, std::string_view text) {
  const auto open = pattern.find('{');
  const auto close = pattern.find('}', open);
  if (open != std::string_view::npos && close != std::string_view::npos) {
    std::string_view words = pattern.substr(open + 1, close - open - 1);
    while (true) {
      const auto comma = words.find(',');
      const std::string chosen = std::string(pattern.substr(0, open)) +
                                 std::string(words.substr(0, comma)) +
                                 std::string(pattern.substr(close + 1));
      if (matches_glob(chosen, text)) return true;
      if (comma == std::string_view::npos) return false;
      words.remove_prefix(comma + 1);
    }
  }
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= text.size(); ++from)
    if (matches_glob(rest, text.substr(from))) return true;
  return false;
}

inline bool matches_any(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [text](const std::string& pattern) { return matches_glob(pattern, text); });
}

}  // namespace upcast
