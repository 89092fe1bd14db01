// Reads the command line of each program that a user starts.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace upcast::tools {

/// Prints "upcast: WHAT", a line on standard error. The text is made visible(), and cut to
/// kMaxMessage bytes.
void print_error(std::string_view what);

/// Calls `run`, and returns the program's exit code. A wrong flag, an exception of `run`, or a
/// standard output that cannot be written gives one line on standard error, and 2. Prints the text
/// of --help and --version, and returns 0. If standard output is a pipe that nothing reads any
/// more, the program ends by SIGPIPE.
int run_guarded(const CLI::App& app, const std::function<int()>& run);

/// Parses the arguments with `app`, then calls `run`, with the exit codes of run_guarded().
int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

/// Adds --json FILE, which means the same everywhere: the result as JSON, in a file or on standard
/// output (write_output). Words for people go to people().
void add_json_option(CLI::App& app, std::string& file);

/// Adds --memory-limit SIZE, such as 4GiB. `take` gets the bytes; 0 means no limit.
void add_memory_limit_option(CLI::App& app, const std::string& about,
                             const std::function<void(std::int64_t)>& take);
/// Adds --memory-limit for the plug-ins and processes that this command, or one that it starts,
/// asks.
void add_memory_limit_option(CLI::App& app);

}  // namespace upcast::tools
