// Writes upcast(1), the manual page.
#pragma once

#include <string>
#include <string_view>

#include "tools/command_tree.h"

namespace upcast::tools {

/// In roff, for man(1).
std::string man_page(const CommandTree& tree, std::string_view version);

}  // namespace upcast::tools
