// Writes the manual page upcast(1).
#pragma once

#include <string>
#include <string_view>

#include "tools/command_tree.h"

namespace upcast::tools {

/// The text of the manual page, in roff, the format that man(1) reads.
std::string man_page(const CommandTree& tree, std::string_view version);

}  // namespace upcast::tools
