// How each program that a user starts reads its command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

namespace upcast::tools {

/// "upcast: WHAT", a line on standard error: visible(), and at most kMaxMessage bytes of it.
void print_error(std::string_view what);

/// Runs, and gives the exit code; what is wrong with a flag, or what `run` throws, becomes one line
/// and 2. `app` has printed --help and --version: 0.
int run_guarded(const CLI::App& app, const std::function<int()>& run);

/// Parses the arguments and runs.
int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

/// --json FILE, which means the same everywhere: the result as JSON, in a file or on standard
/// output (write_output); words for people go to people().
void add_json_option(CLI::App& app, std::string& file);

}  // namespace upcast::tools
