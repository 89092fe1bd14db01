// The subcommands of `upcast`. Each adds itself to the parser and, when it was chosen, sets what
// main() runs after the parse.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace upcast::tools {

/// The exit codes of commands; docs/guide.md says what each means.
enum ExitCode : int { kAsExpected = 0, kUnexpected = 1, kUsage = 2, kIncomplete = 3 };

/// The function that does a command's work. Returns the exit code; throws UsageError.
using Action = std::function<int()>;

void add_run_command(CLI::App& app, Action& action);
void add_explain_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_diff_command(CLI::App& app, Action& action);
void add_history_command(CLI::App& app, Action& action);
void add_merge_command(CLI::App& app, Action& action);
void add_list_command(CLI::App& app, Action& action);
void add_audit_command(CLI::App& app, Action& action);
void add_check_plugin_command(CLI::App& app, Action& action);
void add_laws_command(CLI::App& app, Action& action);
void add_findings_command(CLI::App& app, Action& action);
/// Adds help, completion and man. Their texts are made from the commands of `app`, so add them
/// last.
void add_help_commands(CLI::App& app, Action& action);
/// Adds the commands that are programs of their own, so that help lists them.
void add_sibling_commands(CLI::App& app);
/// For a command that is a program of its own: an action that replaces this process by that
/// program, which reads the arguments itself. Null for another command.
Action sibling_action(int argc, char** argv);

}  // namespace upcast::tools
