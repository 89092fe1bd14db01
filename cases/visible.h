// Makes foreign text safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace upcast {

/// One line that cannot steer a terminal or hide what it says: a line break is written "\n",
/// another control character or a byte that is no UTF-8 "\x1b", a character that changes the
/// direction of text, breaks a line or cannot be seen "\u{202e}". All else stays, so that what is
/// visible is visible(visible). The characters of `kept` stay as well: "\n" for a text of lines.
std::string visible(std::string_view text, std::string_view kept = "");

/// The position of the first character that visible() would change; npos where there is none.
std::size_t first_hidden(std::string_view text, std::string_view kept = "");

}  // namespace upcast
