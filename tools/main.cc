// upcast: the command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "cases/suggest.h"
#include "impl/core/error.h"
#include "oracle/host/versions.h"
#include "tools/command.h"

namespace upcast::tools {
namespace {

constexpr const char* kAbout =
    "Conformance suite for tensor dtype promotion and elementwise ops: judges an implementation "
    "against LibTorch, case by case.";

constexpr const char* kExamples =
    "Examples:\n"
    "  upcast explain 'add(int32[3], 5.5)'\n"
    "  upcast run 'add(int32[3], 5.5) -> float32[3]'\n"
    "  upcast run --grid promotion --out run.db\n"
    "  upcast report run.db -o report.html\n"
    "Exit codes: 0 as expected, 1 unexpected differences, 2 usage or harness fault, 3 incomplete.";

int complain(std::string_view message) {
  fmt::print(stderr, "upcast: {}\n", message);
  return kUsage;
}

/// CLI11 would only say that a subcommand is required.
void check_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw UsageError(fmt::format("there is no command '{}'{}; there are {}", argv[1],
                               did_you_mean(argv[1], known), fmt::join(names, ", ")));
}

int run_main(int argc, char** argv) {
  CLI::App app(kAbout, "upcast");
  app.set_version_flag("--version", "upcast " + std::string(upcast_version()));
  app.require_subcommand(1);
  Action action;
  add_run_command(app, action);
  add_explain_command(app, action);
  add_report_command(app, action);
  add_merge_command(app, action);
  add_diff_command(app, action);
  add_history_command(app, action);
  add_list_command(app, action);
  add_audit_command(app, action);
  add_sweep_command(app, action);
  add_fuzz_command(app, action);
  add_bench_command(app, action);
  add_minimize_command(app, action);
  add_repro_command(app, action);
  add_check_plugin_command(app, action);
  add_laws_command(app, action);
  app.footer(kExamples);  // after the subcommands, which would inherit it
  check_subcommand(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      return app.exit(error);  // --help, --version
    }
    return complain(fmt::format("{}; see upcast --help", error.what()));
  }
  return action();
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) try {
  return upcast::tools::run_main(argc, argv);
} catch (const upcast::UsageError& error) {
  return upcast::tools::complain(error.what());
} catch (const std::bad_alloc&) {
  return upcast::tools::complain("out of memory; give fewer cases or a smaller --jobs");
} catch (const std::exception& error) {
  return upcast::tools::complain(error.what());
}
