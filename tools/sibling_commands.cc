// The commands that are programs of their own, because those hold LibTorch in their own process.
// upcast knows their flags for help, completion and the manual; the programs parse them.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "impl/core/error.h"
#include "tools/command.h"
#include "tools/missing_part.h"
#include "tools/paths.h"
#include "tools/siblings/bench_flags.h"
#include "tools/siblings/findings_flags.h"
#include "tools/siblings/fuzz_flags.h"
#include "tools/siblings/sweep_flags.h"

namespace upcast::tools {
namespace {

struct Sibling {
  const char* name;
  const char* about;
  bool needs_libtorch;
  void (*add_flags)(CLI::App& command);
};

/// Adds a program's flags to its command, for help. The variables that hold the flags live as long
/// as the command.
template <class Flags, void (*add)(CLI::App&, Flags&)>
void add_flags(CLI::App& command) {
  auto flags = std::make_shared<Flags>();
  add(command, *flags);
  command.callback([flags] {});
}

template <class Flags, void (*add)(CLI::App&, Flags&, FindingsOptions&)>
void add_findings_flags(CLI::App& command) {
  auto flags = std::make_shared<std::pair<Flags, FindingsOptions>>();
  add(command, flags->first, flags->second);
  command.callback([flags] {});
}

constexpr Sibling kSiblings[] = {
    {"sweep", "Errors against the truth over every input (runs upcast-sweep)", true,
     add_flags<SweepFlags, add_sweep_flags>},
    {"fuzz", "Run a coverage-guided campaign (runs upcast-fuzz)", false,
     add_flags<FuzzFlags, add_fuzz_flags>},
    {"bench", "Compare the speed of our implementation with LibTorch's (runs upcast-bench)", true,
     add_flags<BenchFlags, add_bench_flags>},
    {"minimize", "Find the simplest case that shows the same difference (runs upcast-minimize)",
     true, add_findings_flags<MinimizeFlags, add_minimize_flags>},
    {"repro",
     "Write stand-alone C++ and Python programs that show a difference (runs upcast-repro)", true,
     add_findings_flags<ReproOutputs, add_repro_flags>}};

/// Replaces this process by the program of the command, with the same arguments. Throws UsageError
/// if it cannot be started.
[[noreturn]] void become(const Sibling& sibling, char** arguments) {
  const std::string name = std::string("upcast-") + sibling.name;
  const std::string program =
      sibling.needs_libtorch ? libtorch_program(name) : sibling_program(name);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (; *arguments != nullptr; ++arguments) {
    build_missing_module(parse_side(*arguments));
    argv.push_back(*arguments);
  }
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw UsageError("cannot start " + program);
}

}  // namespace

void add_sibling_commands(CLI::App& app) {
  for (const Sibling& sibling : kSiblings)
    sibling.add_flags(*app.add_subcommand(sibling.name, sibling.about));
}

Action sibling_action(int argc, char** argv) {
  for (const Sibling& sibling : kSiblings)
    if (argc > 1 && sibling.name == std::string_view(argv[1]))
      return [&sibling, argv]() -> int { become(sibling, argv + 2); };
  return nullptr;
}

}  // namespace upcast::tools
