#include "tools/command_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast::tools {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The words that an option allows, such as bash, zsh and fish. CLI11 has them in the option's
/// type, as "{bash,zsh,fish}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == type.npos || close == type.npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// The placeholder of an option's value: "FILE" if the option says so, "TEXT" or "INT" by its type.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  if (!option.get_option_text().empty()) return option.get_option_text();
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

CommandRow row_of(const CLI::App& app) {
  CommandRow row{.name = app.get_name(),
                 .about = app.get_description(),
                 .footer = app.get_footer(),
                 .flags = {},
                 .arguments = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) {
      FlagRow flag{.names = {}, .value = value_of(*option), .about = option->get_description()};
      for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
      row.flags.push_back(std::move(flag));
    } else {
      row.arguments.push_back({.name = option->get_name(true),
                               .about = option->get_description(),
                               .choices = choices_of(*option),
                               .required = option->get_required(),
                               .repeats = option->get_items_expected_max() > 1});
    }
  }
  return row;
}

}  // namespace

std::vector<std::string> CommandTree::names() const {
  std::vector<std::string> all;
  for (const CommandRow& command : commands) all.push_back(command.name);
  return all;
}

CommandTree command_tree(const CLI::App& app) {
  CommandTree tree{.itself = row_of(app), .commands = {}};
  for (const CLI::App* command : commands_of(app)) tree.commands.push_back(row_of(*command));
  return tree;
}

const CLI::App& find_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return *command;
    names.push_back(command->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw UsageError(fmt::format("there is no command '{}'{}; there are {}", name,
                               did_you_mean(name, known), fmt::join(names, ", ")));
}

}  // namespace upcast::tools
