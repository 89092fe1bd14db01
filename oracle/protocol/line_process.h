// A program of others, which speaks in lines on its standard input and output.
#pragma once

#include <string>

#include "oracle/process/message_child.h"

namespace upcast::protocol {

/// Seconds that it may take to end by itself once its input is closed.
inline constexpr double kPatience = 0.2;

/// How many of the last lines of its standard error are shown.
inline constexpr std::size_t kLastWords = 3;

/// In a process group of its own. The last words of standard error are kept.
ChildSetup line_process(std::vector<std::string> command, std::vector<int> descriptors = {});

/// `command` is one command of the shell: "python3 backend.py --fast". One that cannot be found is
/// a process that ends with code 127.
ChildSetup shell_process(const std::string& command);

}  // namespace upcast::protocol
