// How each program that a user starts reads its command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace upcast::tools {

/// Parses the arguments and runs; gives the exit code. --help is 0; what is wrong with a flag, or
/// what `run` throws, becomes one line and 2.
int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

}  // namespace upcast::tools
