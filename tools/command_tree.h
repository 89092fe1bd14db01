// The commands, options and arguments of `upcast`, read from the parser (CLI11) for help,
// completion and the manual: so these cannot name what the parser does not take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace upcast::tools {

struct FlagRow {
  std::vector<std::string> names;  // "--html", "-o"
  std::string value;               // the value's placeholder, "FILE"; "": no value
  std::string about;
};

struct ArgumentRow {
  std::string name;  // "RUN.db"
  std::string about;
  std::vector<std::string> choices;  // the words that the argument may be; empty: any
  bool required = false;
  bool repeats = false;
};

struct CommandRow {
  std::string name;
  std::string about;
  std::string footer;  // text after the flags: examples, exit codes
  std::vector<FlagRow> flags;
  std::vector<ArgumentRow> arguments;
};

struct CommandTree {
  CommandRow itself;  // upcast itself, with its own flags
  std::vector<CommandRow> commands;

  std::vector<std::string> names() const;
};

CommandTree command_tree(const CLI::App& app);

/// Finds a command by its name. Throws UsageError, which names the nearest one; CLI11 would only
/// say that a command is required.
const CLI::App& find_command(const CLI::App& app, const std::string& name);

}  // namespace upcast::tools
