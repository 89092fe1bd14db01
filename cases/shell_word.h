// Quotes words for command lines that we print.
#pragma once

#include <string>
#include <string_view>

namespace upcast {

/// The text as one word of a shell, in single quotes. A text that is not visible() is written
/// $'..', with escapes, as bash, zsh and ksh read it.
std::string shell_word(std::string_view text);

}  // namespace upcast
