// Subcommands that are programs of their own, because they hold LibTorch in their own process.
#include <unistd.h>

#include <vector>

#include "impl/core/error.h"
#include "tools/command.h"
#include "tools/missing_part.h"
#include "tools/paths.h"

namespace upcast::tools {
namespace {

/// Becomes `program`, with the arguments behind the subcommand.
void add_sibling(CLI::App& app, Action& action, const std::string& name, const std::string& about) {
  CLI::App* command = app.add_subcommand(name, about);
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, name, &action] {
    action = [name, arguments = command->remaining()] {
      const std::string program =
          name == "fuzz" ? sibling_program("upcast-fuzz") : libtorch_program("upcast-" + name);
      for (const std::string& argument : arguments) build_missing_module(parse_side(argument));
      std::vector<char*> argv{const_cast<char*>(program.c_str())};
      for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
      }
      argv.push_back(nullptr);
      execv(program.c_str(), argv.data());
      throw UsageError("cannot start " + program);
      return 0;
    };
  });
}

}  // namespace

void add_sibling_commands(CLI::App& app, Action& action) {
  add_sibling(app, action, "sweep", "Distance from the truth over every input (runs upcast-sweep)");
  add_sibling(app, action, "fuzz", "Coverage-guided campaigns (runs upcast-fuzz)");
  add_sibling(app, action, "bench", "Speed beside LibTorch's (runs upcast-bench)");
  add_sibling(app, action, "minimize",
              "The simplest case that shows the same difference (runs upcast-minimize)");
  add_sibling(app, action, "repro",
              "Stand-alone C++ and Python programs that show a difference (runs upcast-repro)");
}

}  // namespace upcast::tools
