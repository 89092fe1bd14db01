// Makes pieces of Markdown that several outputs need.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace upcast::reports {

/// A fence for a block of code: it has more backticks than any run of them in the text, so that the
/// text cannot end the block.
inline std::string markdown_fence(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  return std::string(std::max<std::size_t>(3, longest + 1), '`');
}

}  // namespace upcast::reports
