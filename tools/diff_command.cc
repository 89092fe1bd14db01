#include <fmt/format.h>

#include <memory>

#include "reports/run_diff.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

struct DiffOptions {
  std::string before, after;
  std::string json;
  std::int64_t limit = 10;
};

int diff(const DiffOptions& options) {
  const reports::RunStore before = reports::RunStore::open(options.before);
  const reports::RunStore after = reports::RunStore::open(options.after);
  const reports::RunDiff found = reports::diff_runs(before, after, options.limit);
  write_output(options.json, reports::diff_json(found) + "\n");
  fmt::print(people(options.json), "{}\n", reports::diff_text(found));
  return static_cast<int>(found.outlook());
}

}  // namespace

void add_diff_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("diff", "Compare two runs: fixed, broken, changed, added, removed");
  auto options = std::make_shared<DiffOptions>();
  command->add_option("OLD.db", options->before, "The old run store")->required();
  command->add_option("NEW.db", options->after, "The new run store")->required();
  add_json_option(*command, options->json);
  command->add_option("--limit", options->limit, "How many cases to show of each kind of change")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000));
  command->callback([options, &action] { action = [options] { return diff(*options); }; });
}

}  // namespace upcast::tools
