// Parses the command line of each program that a user starts, and turns faults into exit codes.
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

/// Adds the flag --json FILE, which means the same in all commands: the result as JSON, in a file
/// or on standard output (write_output). Text for people then goes to people().
void add_json_option(CLI::App& app, std::string& file);

/// Adds the flag --memory-limit SIZE, such as 4GiB. `take` is called with the bytes; 0 means no
/// limit.
void add_memory_limit_option(CLI::App& app, const std::string& about,
                             const std::function<void(std::int64_t)>& take);
/// Adds the flag --memory-limit, which limits each plug-in and process that is a side, in this
/// command and in the programs that it starts.
void add_memory_limit_option(CLI::App& app);

}  // namespace upcast::tools
