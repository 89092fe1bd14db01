// Writes upcast(1), the manual page.
#pragma once

#include <string>
#include <string_view>

#include "tools/command_tree.h"

namespace upcast::tools {

/// The manual page of a program, in the format roff of man(1).
std::string man_page(const CommandTree& tree, std::string_view version);

}  // namespace upcast::tools
