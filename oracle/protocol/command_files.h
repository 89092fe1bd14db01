// Finds the files that a shell command names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast::protocol {

/// The regular files that the words of a command name: "python3 'my adapter.py' --fast" names the
/// interpreter, found as a shell finds it, and the script. Empty for a command that is more than
/// words, such as one with a pipe. Nothing is run: a command substitution makes it empty too.
std::vector<std::string> files_of_command(const std::string& command);

}  // namespace upcast::protocol
