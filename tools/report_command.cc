#include <fmt/format.h>

#include <deque>
#include <map>
#include <memory>

#include "reports/html/html_report.h"
#include "reports/summary.h"
#include "tools/command.h"

namespace upcast::tools {
namespace {

struct ReportOptions {
  std::vector<std::string> stores;
  std::string html;
};

/// Shards of one plan, with one pair of sides, are one run.
std::string run_of(const reports::RunStore& store) {
  const reports::RunPlan& plan = store.plan();
  return plan.plan_digest + '\n' + plan.subject + '\n' + plan.oracle;
}

int report(const ReportOptions& options) {
  std::deque<reports::RunStore> stores;
  std::map<std::string, std::vector<const reports::RunStore*>> runs;
  for (const std::string& path : options.stores) {
    stores.push_back(reports::RunStore::open(path));
    runs[run_of(stores.back())].push_back(&stores.back());
  }
  if (!options.html.empty()) reports::write_html(options.stores, options.html);
  for (const auto& [name, shards] : runs) {
    fmt::print("{}\n", reports::summary_text(reports::summarize(shards)));
  }
  if (!options.html.empty()) fmt::print("{}\n", options.html);
  return kAsExpected;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("report", "A run store as text and as one HTML file");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("RUN.db", options->stores, "Run stores: the shards of one run")->required();
  command->add_option("-o,--html", options->html, "The HTML file to write");
  command->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace upcast::tools
