#include <fmt/format.h>

#include <deque>
#include <map>
#include <memory>

#include "impl/core/error.h"
#include "reports/html/html_report.h"
#include "reports/rulebook_fold.h"
#include "reports/summary.h"
#include "tools/command.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

struct ReportOptions {
  std::vector<std::string> stores;
  std::string html;
  std::string markdown;
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

int report(const ReportOptions& options) {
  std::deque<reports::RunStore> stores;
  std::map<std::string, std::vector<const reports::RunStore*>> runs;
  for (const std::string& path : options.stores) {
    stores.push_back(reports::RunStore::open(path));
    runs[run_of(stores.back())].push_back(&stores.back());
  }
  if (!options.html.empty()) reports::write_html(options.stores, options.html);
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
  command->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace upcast::tools
