#include <unistd.h>

#include <vector>

#include "impl/core/error.h"
#include "tools/command.h"
#include "tools/paths.h"

namespace upcast::tools {

void add_bench_command(CLI::App& app, Action& action) {
  CLI::App* bench = app.add_subcommand("bench", "Speed beside LibTorch's (runs upcast-bench)");
  bench->prefix_command();
  bench->set_help_flag();
  bench->callback([bench, &action] {
    action = [arguments = bench->remaining()] {
      const std::string program = sibling_program("upcast-bench");
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

}  // namespace upcast::tools
