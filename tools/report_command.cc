#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <sstream>

#include "cases/output_file.h"
#include "cases/text_file.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "reports/html/html_report.h"
#include "reports/outputs/outputs.h"
#include "reports/rulebook_fold.h"
#include "reports/shards.h"
#include "reports/summary.h"
#include "tools/book_shelf.h"
#include "tools/case_teller.h"
#include "tools/command.h"
#include "tools/measured_file.h"
#include "tools/verdict_tone.h"
#include "tools/write_file.h"

namespace upcast::tools {

/// The texts of cases/accuracy.json and cases/accuracy_bounds.toml, which CMake embeds.
extern const char kBuiltInAccuracy[];
extern const char kBuiltInAccuracyBounds[];

namespace {

/// A format of `upcast report` for other programs, and the flag that asks for it.
struct MachineOutput {
  const char* flag;
  const char* about;
  std::string (*text)(const std::vector<reports::RunData>&);
};
constexpr MachineOutput kOutputs[] = {
    {"--junit", "JUnit XML: a test for each schema", reports::junit_xml},
    {"--ctrf", "Common Test Report Format, JSON", reports::ctrf_json},
    {"--step-summary", "Markdown for GITHUB_STEP_SUMMARY", reports::step_summary},
    {"--badge", "JSON for a badge of shields.io", reports::badge_json},
    {"--csv", "CSV with a row for each schema, form and default dtype", reports::rows_csv},
};
constexpr std::size_t kOutputCount = std::size(kOutputs);

struct ReportOptions {
  std::vector<std::string> stores;
  std::string html;
  std::string baseline;
  std::vector<std::string> campaigns;
  std::vector<std::string> sweeps;
  std::string markdown;
  std::array<std::string, kOutputCount> outputs;
  std::string sarif;
  std::string ndjson;
};

using reports::Shards;

/// Adds a SARIF file to `files`. If it does not go to standard output, also adds a .cases file next
/// to it, to whose lines its results point.
void add_sarif(const std::string& path, const std::vector<reports::RunData>& data,
               std::vector<OutputFile>& files) {
  const std::string cases = path != "-" && means_a_file(path) ? path + ".cases" : "";
  files.push_back({path, reports::sarif_json(data, cases)});
  files.push_back({cases, reports::sarif_cases(data)});
}

void add_machine_outputs(const ReportOptions& options, const std::vector<Shards>& runs,
                         std::vector<OutputFile>& files) {
  const bool folded =
      !options.sarif.empty() || std::any_of(options.outputs.begin(), options.outputs.end(),
                                            [](const std::string& path) { return !path.empty(); });
  if (folded) {
    std::vector<reports::RunData> data;
    for (const Shards& shards : runs) data.push_back(reports::fold_run(shards));
    for (std::size_t i = 0; i < kOutputCount; ++i)
      if (!options.outputs[i].empty())
        files.push_back({options.outputs[i], kOutputs[i].text(data)});
    if (!options.sarif.empty()) add_sarif(options.sarif, data, files);
  }
  if (options.ndjson.empty()) return;
  std::ostringstream lines;
  for (const Shards& shards : runs) reports::write_ndjson(shards, lines);
  files.push_back({options.ndjson, lines.str()});
}

/// What the report's page shows: the runs, campaigns and measured errors. The accuracy table is
/// built in; sweeps that the user names replace its rows.
reports::ReportInput page_input(const ReportOptions& options) {
  reports::ReportInput input{.stores = options.stores, .baseline = options.baseline};
  for (const std::string& path : options.campaigns)
    input.campaigns.push_back(reports::load_campaign(path));
  input.accuracy.add_table(kBuiltInAccuracy, "cases/accuracy.json");
  input.accuracy.add_bounds(kBuiltInAccuracyBounds, "cases/accuracy_bounds.toml");
  for (const std::string& path : options.sweeps)
    input.accuracy.add_sweep(read_text_file(path), path);
  input.teller = tell_case;
  input.books = book_shelf();
  input.findings = measured_findings();
  return input;
}

int report(const ReportOptions& options) {
  const bool is_page_only =
      !options.baseline.empty() || !options.campaigns.empty() || !options.sweeps.empty();
  if (is_page_only && options.html.empty())
    throw UsageError("--baseline, --fuzz and --sweep need an HTML file: add -o FILE");
  std::deque<reports::RunStore> stores;
  for (const std::string& path : options.stores) stores.push_back(reports::RunStore::open(path));
  const std::vector<Shards> runs = reports::group_runs(stores);
  std::vector<OutputFile> files;
  if (!options.html.empty())
    files.push_back({options.html, reports::render_html(page_input(options))});
  add_machine_outputs(options, runs, files);
  std::string words, markdown;
  for (const Shards& shards : runs) {
    words += painted_summary(stdout, reports::summarize(shards)) + "\n";
    const reports::RulebookFold fold = reports::fold_rulebooks(shards);
    for (const std::string& line : reports::rulebook_text(fold)) words += line + "\n";
    markdown += reports::rulebook_markdown(fold);
  }
  if (!options.markdown.empty() && markdown.empty())
    throw UsageError("--markdown needs a run of --grid rulebooks, and no store holds one");
  files.push_back({options.markdown, markdown});
  write_outputs(files);
  fmt::print("{}", words);
  if (!options.html.empty()) fmt::print("{}\n", visible(options.html));
  return kAsExpected;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "report", "Print run stores as text, or write them as one HTML file and other formats");
  auto options = std::make_shared<ReportOptions>();
  command
      ->add_option("RUN.db", options->stores,
                   "Run stores: of one run, of its shards, or of several runs")
      ->required();
  command->add_option("-o,--html", options->html, "The HTML file to write");
  command->add_option(
      "--baseline", options->baseline,
      "An earlier run's store: the page shows what changed from it to the first run");
  command->add_option("--fuzz", options->campaigns, "What upcast fuzz --json wrote, for the page")
      ->allow_extra_args(false);
  command->add_option("--sweep", options->sweeps, "What upcast sweep --json wrote, for the page")
      ->allow_extra_args(false);
  command->add_option("--markdown", options->markdown,
                      "Markdown for rule books: their counts and the matrix of systems");
  for (std::size_t i = 0; i < kOutputCount; ++i)
    command->add_option(kOutputs[i].flag, options->outputs[i], kOutputs[i].about);
  command->add_option("--sarif", options->sarif,
                      "SARIF 2.1.0 with the unexplained differences; their locations are lines of "
                      "FILE.cases, which is written too");
  command->add_option("--ndjson", options->ndjson,
                      "One line of JSON for the run and one for each noteworthy case");
  command->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace upcast::tools
