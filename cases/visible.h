// Makes foreign text safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace upcast {

/// The text as one line that cannot steer a terminal or hide what it says. A line break becomes
/// "\n", another control character or a byte that is not UTF-8 "\x1b". A character that changes
/// the direction of text, breaks a line or cannot be seen becomes "\u{202e}". All else stays, so
/// that what is visible is visible(visible). The characters of `kept` stay as well: "\n" for a
/// text of lines.
std::string visible(std::string_view text, std::string_view kept = "");

/// The position of the first character that visible() would change; npos where there is none.
std::size_t first_hidden(std::string_view text, std::string_view kept = "");

}  // namespace upcast
