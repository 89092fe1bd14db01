// The commands help, completion and man. Their texts are made from the parser's own definitions.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "oracle/host/versions.h"
#include "tools/command.h"
#include "tools/command_tree.h"
#include "tools/completion.h"
#include "tools/man_page.h"

namespace upcast::tools {
namespace {

struct Shell {
  const char* name;
  std::string (*script)(const CommandTree& tree);
};
constexpr std::array<Shell, 3> kShells{
    {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};

}  // namespace

void add_help_commands(CLI::App& app, Action& action) {
  CLI::App* help = app.add_subcommand("help", "Show what a command does, and its flags");
  CLI::App* completion = app.add_subcommand(
      "completion", "Print a script that completes commands and flags in a shell");
  CLI::App* man = app.add_subcommand("man", "Print the manual page, for man -l");

  auto asked = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  help->add_option("COMMAND", *asked, "Which one (default: all of them)")
      ->type_name("{" + fmt::format("{}", fmt::join(names, ",")) + "}");
  help->callback([&app, &action, asked] {
    action = [&app, asked] {
      // Prints the help of the command that the user named. app.help() would print the help of the
      // parsed command, which is `help`.
      fmt::print("{}", asked->empty() ? app.get_formatter()->make_help(&app, app.get_name(),
                                                                       CLI::AppFormatMode::Normal)
                                      : find_command(app, *asked).help(app.get_name()));
      return kAsExpected;
    };
  });

  auto shell = std::make_shared<std::string>();
  std::vector<std::string> shells;
  for (const Shell& each : kShells) shells.emplace_back(each.name);
  completion->add_option("SHELL", *shell, "Whose script")->required()->check(CLI::IsMember(shells));
  completion->footer(
      "Examples:\n"
      "  source <(upcast completion bash)\n"
      "  upcast completion zsh > ~/.zfunc/_upcast\n"
      "  upcast completion fish > ~/.config/fish/completions/upcast.fish");
  completion->callback([&app, &action, shell] {
    action = [&app, shell] {
      for (const Shell& each : kShells)
        if (each.name == *shell) fmt::print("{}", each.script(command_tree(app)));
      return kAsExpected;
    };
  });

  man->footer("Example:\n  upcast man > upcast.1; man -l upcast.1");
  man->callback([&app, &action] {
    action = [&app] {
      fmt::print("{}", man_page(command_tree(app), upcast_version()));
      return kAsExpected;
    };
  });
}

}  // namespace upcast::tools
