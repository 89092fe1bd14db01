// upcast: the command.
#include <fmt/format.h>

#include <algorithm>

#include "cases/suggest.h"
#include "oracle/host/versions.h"
#include "tools/command.h"
#include "tools/command_line.h"

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

/// Whether there is the subcommand; CLI11 would only say that one is required.
bool check_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return true;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return true;
  const std::vector<std::string_view> known(names.begin(), names.end());
  fmt::print(stderr, "upcast: there is no command '{}'{}; there are {}\n", argv[1],
             did_you_mean(argv[1], known), fmt::join(names, ", "));
  return false;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  CLI::App app(kAbout, "upcast");
  app.set_version_flag("--version", "upcast " + std::string(upcast::upcast_version()));
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
  add_sibling_commands(app, action);
  add_check_plugin_command(app, action);
  add_laws_command(app, action);
  app.footer(kExamples);  // after the subcommands, which would inherit it
  if (!check_subcommand(app, argc, argv)) return kUsage;
  return run_command_line(app, argc, argv, [&action] { return action(); });
}
