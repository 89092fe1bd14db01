// The flags of `upcast minimize` and `upcast repro`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace upcast::tools {

/// The flags that `upcast minimize` and `upcast repro` share.
struct FindingsOptions {
  std::string case_line;
  std::string subject = "impl:cpu";
  std::string oracle = "libtorch:cpu";
  std::string known_file;  // a TOML file; "": the built-in known differences
  double time_limit = 10;
};

struct MinimizeFlags {
  std::string json_out;
  bool as_it_is = false;
  bool trace = false;
};

struct ReproOutputs {
  std::string cpp, python;
  std::string folder;  // the folder for a program for each known difference and language
  bool all_known = false;
  bool is_short = false;
};

void add_minimize_flags(CLI::App& app, MinimizeFlags& flags, FindingsOptions& options);
void add_repro_flags(CLI::App& app, ReproOutputs& outputs, FindingsOptions& options);

}  // namespace upcast::tools
