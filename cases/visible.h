// Makes foreign text safe to show: it cannot steer a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace upcast {

/// The text as one line that cannot steer a terminal or hide what it says. A line break becomes
/// "\n". Another control character, or a byte that is not UTF-8, becomes "\x1b" or the like. A
/// character that changes the direction of text, breaks a line or cannot be seen becomes "\u{202e}"
/// or the like. All else stays, so visible(visible(text)) is visible(text). The characters of
/// `kept` stay as well: "\n" for a text of several lines.
std::string visible(std::string_view text, std::string_view kept = "");

/// The position of the first character that visible() would change; npos if it would change none.
std::size_t first_hidden(std::string_view text, std::string_view kept = "");

}  // namespace upcast
