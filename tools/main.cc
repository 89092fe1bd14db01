// The program upcast: its main function, which adds all commands to the parser and runs one.
#include "impl/core/capability.h"
#include "oracle/host/versions.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/command_tree.h"

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
  add_sibling_commands(app);
  add_check_plugin_command(app, action);
  add_laws_command(app, action);
  add_findings_command(app, action);
  add_help_commands(app, action);
  app.footer(kExamples);  // last, because later subcommands would inherit the footer
  if (const Action become = sibling_action(argc, argv)) return run_guarded(app, become);
  return run_guarded(app, [&] {
    if (argc > 1 && argv[1][0] != '-') find_command(app, argv[1]);
    app.parse(argc, argv);
    upcast::best_capability();  // refuses a wrong UPCAST_CAPABILITY, before a worker dies of it
    return action();
  });
}
