// Scripts that complete `upcast` in a shell.
#pragma once

#include <string>

#include "tools/command_tree.h"

namespace upcast::tools {

std::string bash_completion(const CommandTree& tree);
std::string zsh_completion(const CommandTree& tree);
std::string fish_completion(const CommandTree& tree);

}  // namespace upcast::tools
