// Patterns of names.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace upcast {

namespace internal {

/// For each place in a text: whether a pattern can match up to it.
using GlobPlaces = std::vector<char>;

constexpr bool is_glob_letter(char letter) { return letter == '*' || letter == '{'; }

/// The places where a match of `pattern` can end, if it begins at one of `places`. The time is at
/// most proportional to the product of both lengths.
inline GlobPlaces after_glob(std::string_view pattern, std::string_view text, GlobPlaces places) {
  while (!pattern.empty()) {
    const auto first = std::find(places.begin(), places.end(), true);
    if (first == places.end()) break;  // no match; most texts end here after a letter or two
    const auto close = pattern[0] == '{' ? pattern.find('}') : pattern.npos;
    if (close != pattern.npos) {
      GlobPlaces after(places.size());
      std::string_view words = pattern.substr(1, close - 1);
      for (auto comma = words.find(',');; comma = words.find(',')) {
        const GlobPlaces of_word = after_glob(words.substr(0, comma), text, places);
        for (std::size_t i = 0; i < after.size(); ++i) after[i] |= of_word[i];
        if (comma == words.npos) break;
        words.remove_prefix(comma + 1);
      }
      places = std::move(after);
      pattern.remove_prefix(close);
    } else if (pattern[0] == '*') {
      std::fill(first, places.end(), true);
    } else {
      for (std::size_t i = text.size(); i > 0; --i)
        places[i] = places[i - 1] && text[i - 1] == pattern[0];
      places[0] = false;
    }
    pattern.remove_prefix(1);
  }
  return places;
}

}  // namespace internal

/// Whether a pattern can match other texts than itself.
inline bool is_glob(std::string_view pattern) {
  return std::any_of(pattern.begin(), pattern.end(), internal::is_glob_letter);
}

/// Whether a pattern as in a shell matches: '*' stands for any characters, '{a,b}' for one of them.
inline bool matches_glob(std::string_view pattern, std::string_view text) {
  const std::string_view literal(
      pattern.begin(), std::find_if(pattern.begin(), pattern.end(), internal::is_glob_letter));
  if (literal.size() == pattern.size()) return pattern == text;
  if (!text.starts_with(literal)) return false;
  text.remove_prefix(literal.size());
  internal::GlobPlaces places(text.size() + 1);
  places[0] = true;
  return internal::after_glob(pattern.substr(literal.size()), text, std::move(places)).back();
}

inline bool matches_any(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [text](const std::string& pattern) { return matches_glob(pattern, text); });
}

}  // namespace upcast
