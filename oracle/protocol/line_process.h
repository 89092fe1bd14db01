// Starts a program of others that talks in lines on its standard input and output.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/process/message_child.h"

namespace upcast::protocol {

/// How many seconds such a program may take to end once its input is closed.
inline constexpr double kPatience = 0.2;

/// How many of the last lines of its standard error are shown.
inline constexpr std::size_t kLastWords = 3;

/// The variable by which --memory-limit reaches every process that starts such a program.
inline constexpr const char* kMemoryLimitVariable = "UPCAST_MEMORY_LIMIT";

/// Bytes that each process of such a program may hold (ChildSetup::memory_limit): what
/// $UPCAST_MEMORY_LIMIT says, else 4 GiB. 0 for no limit. Throws UsageError where that is no size.
std::int64_t memory_limit();

/// The last words of a process. If they say that no memory was left, its limit is added.
std::string with_memory_limit(std::string words);

/// The setup of such a program: in a process group of its own, with the memory limit. The last
/// words of standard error are kept.
ChildSetup line_process(std::vector<std::string> command, std::vector<int> descriptors = {});

/// `command` is one command of the shell: "python3 backend.py --fast". One that cannot be found is
/// a process that ends with code 127.
ChildSetup shell_process(const std::string& command);

}  // namespace upcast::protocol
