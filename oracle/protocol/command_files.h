// Finds the files that a shell command names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast::protocol {

/// The program that a shell runs for the name `program`: a path as it is, or the first one of that
/// name in the folders of PATH. "" if there is none.
std::string found_program(const std::string& program);

/// The program of a command, and the regular files that its other words name. For "python3 'my
/// adapter.py' --fast" these are the interpreter and the script. Empty for a command that is more
/// than words: one with a pipe, or with a command substitution, which is not run.
std::vector<std::string> files_of_command(const std::string& command);

}  // namespace upcast::protocol
