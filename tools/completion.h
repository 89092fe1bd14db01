// Writes the scripts by which a shell completes the words of `upcast` commands.
#pragma once

#include <string>

#include "tools/command_tree.h"

namespace upcast::tools {

std::string bash_completion(const CommandTree& tree);
std::string zsh_completion(const CommandTree& tree);
std::string fish_completion(const CommandTree& tree);

}  // namespace upcast::tools
