#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <fstream>
#include <map>
#include <memory>

#include "impl/core/error.h"
#include "reports/html/html_report.h"
#include "reports/outputs/outputs.h"
#include "reports/rulebook_fold.h"
#include "reports/summary.h"
#include "tools/command.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

/// A format that other programs read.
struct MachineOutput {
  const char* flag;
  const char* about;
  std::string (*text)(const reports::RunData&);
};
constexpr MachineOutput kOutputs[] = {
    {"--junit", "JUnit XML: a test for each schema", reports::junit_xml},
    {"--ctrf", "Common Test Report Format, JSON", reports::ctrf_json},
    {"--sarif", "SARIF 2.1.0: what differs unexpectedly", reports::sarif_json},
    {"--step-summary", "Markdown for GITHUB_STEP_SUMMARY", reports::step_summary},
    {"--badge", "An endpoint of shields.io, JSON", reports::badge_json},
    {"--csv", "A row for each schema, form and default dtype", reports::rows_csv},
};
constexpr std::size_t kOutputCount = std::size(kOutputs);

struct ReportOptions {
  std::vector<std::string> stores;
  std::string html;
  std::string markdown;
  std::array<std::string, kOutputCount> outputs;
  std::string ndjson;
};

/// Shards of one plan, with one pair of sides, are one run.
std::string run_of(const reports::RunStore& store) {
  const reports::RunPlan& plan = store.plan();
  return plan.plan_digest + '\n' + plan.subject + '\n' + plan.oracle;
}

/// The tables of a run of rule books.
void write_markdown(const std::string& path, const std::string& text) {
  if (text.empty()) {
    throw UsageError("--markdown: no run of --grid rulebooks among the stores");
  }
  write_output(path, text);
}

/// The formats that hold one run.
void write_machine_outputs(
    const ReportOptions& options,
    const std::map<std::string, std::vector<const reports::RunStore*>>& runs) {
  const bool folded = std::any_of(options.outputs.begin(), options.outputs.end(),
                                  [](const std::string& path) { return !path.empty(); });
  if (!folded && options.ndjson.empty()) return;
  if (runs.size() > 1)
    throw UsageError(
        "the stores hold several runs; outputs but HTML and Markdown hold one: give the "
        "stores of one run");
  const std::vector<const reports::RunStore*>& stores = runs.begin()->second;
  if (folded) {
    const reports::RunData data = reports::fold_run(stores);
    for (std::size_t i = 0; i < kOutputCount; ++i)
      if (!options.outputs[i].empty()) write_output(options.outputs[i], kOutputs[i].text(data));
  }
  if (!options.ndjson.empty()) {
    std::ofstream file(options.ndjson, std::ios::binary);
    reports::write_ndjson(stores, file);
    if (!file.flush()) throw UsageError(options.ndjson + ": cannot be written");
  }
}

int report(const ReportOptions& options) {
  std::deque<reports::RunStore> stores;
  std::map<std::string, std::vector<const reports::RunStore*>> runs;
  for (const std::string& path : options.stores) {
    stores.push_back(reports::RunStore::open(path));
    runs[run_of(stores.back())].push_back(&stores.back());
  }
  if (!options.html.empty()) reports::write_html(options.stores, options.html);
  write_machine_outputs(options, runs);
  std::string markdown;
  for (const auto& [name, shards] : runs) {
    fmt::print("{}\n", reports::summary_text(reports::summarize(shards)));
    const reports::RulebookFold fold = reports::fold_rulebooks(shards);
    for (const std::string& line : reports::rulebook_text(fold)) fmt::print("{}\n", line);
    markdown += reports::rulebook_markdown(fold);
  }
  if (!options.markdown.empty()) write_markdown(options.markdown, markdown);
  if (!options.html.empty()) fmt::print("{}\n", options.html);
  return kAsExpected;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("report", "A run store as text and as one HTML file");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("RUN.db", options->stores, "Run stores: the shards of one run")->required();
  command->add_option("-o,--html", options->html, "The HTML file to write");
  command->add_option("--markdown", options->markdown,
                      "Rule books: their counts and the matrix of systems as Markdown");
  for (std::size_t i = 0; i < kOutputCount; ++i)
    command->add_option(kOutputs[i].flag, options->outputs[i], kOutputs[i].about);
  command->add_option("--ndjson", options->ndjson,
                      "A line of JSON for the run and for each noteworthy case");
  command->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace upcast::tools
