// Starts a program that others wrote, which talks in lines on its standard input and output.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/process/message_child.h"

namespace upcast::protocol {

/// Seconds that a program of others may take to end after its input is closed.
inline constexpr double kPatience = 0.2;

/// How often a program of others is started if a signal from outside kills it before its greeting.
inline constexpr int kStarts = 3;

/// How many of the last lines of a program's standard error are shown.
inline constexpr std::size_t kLastWords = 3;

/// The variable that carries --memory-limit to every process which starts programs of others.
inline constexpr const char* kMemoryLimitVariable = "UPCAST_MEMORY_LIMIT";

/// How many bytes each process of a program of others may hold (ChildSetup::memory_limit).
/// $UPCAST_MEMORY_LIMIT says it; without that it is 4 GiB. 0: no limit. Throws UsageError if the
/// variable is no size.
std::int64_t memory_limit();

/// The last words of a program, with the memory limit added if they say that no memory was left.
std::string with_memory_limit(std::string words);

/// How a program of others is started: in a process group of its own, with the memory limit. The
/// end of its standard error is kept.
ChildSetup line_process(std::vector<std::string> command, std::vector<int> descriptors = {});

/// How a command of the shell is started, such as "python3 backend.py --fast". A command that
/// cannot be found ends with code 127.
ChildSetup shell_process(const std::string& command);

}  // namespace upcast::protocol
