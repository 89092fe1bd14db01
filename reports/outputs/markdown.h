// Pieces of Markdown that outputs share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace upcast::reports {

/// A fence that no run of backticks in the text can end.
inline std::string markdown_fence(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  return std::string(std::max<std::size_t>(3, longest + 1), '`');
}

}  // namespace upcast::reports
