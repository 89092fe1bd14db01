#include "reports/html/html_report.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <optional>

#include "impl/core/error.h"
#include "reports/html/markup.h"
#include "reports/html/page_assets.h"
#include "reports/html/page_json.h"
#include "reports/html/planes.h"
#include "reports/html/sections.h"
#include "reports/html/static_page.h"
#include "reports/sha256.h"
#include "reports/shards.h"

namespace upcast::reports {
namespace {

/// Replaces each `@name@` of the template once. Inserted texts are not searched for further names.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string out;
  while (!page.empty()) {
    const size_t open = page.find('@');
    const size_t close = open == std::string_view::npos ? open : page.find('@', open + 1);
    if (close == std::string_view::npos) break;
    const auto value = values.find(page.substr(open + 1, close - open - 1));
    check(value != values.end(), "a name that the template uses has a value");
    out += page.substr(0, open);
    out += value->second;
    page.remove_prefix(close + 1);
  }
  return out += page;
}

/// The source expression that makes the content security policy allow exactly this inline script or
/// style.
std::string csp_hash(std::string_view text) {
  Sha256 sha;
  sha.update(text);
  const auto digest = sha.digest();
  return fmt::format("'sha256-{}'",
                     base64({reinterpret_cast<const char*>(digest.data()), digest.size()}));
}

/// The opened stores of a report, and what was folded from each run.
struct Runs {
  std::deque<RunStore> stores;
  std::vector<RunData> data;
};

Runs fold_runs(const std::vector<std::string>& store_paths, int64_t most_cases) {
  if (store_paths.empty()) {
    throw UsageError("no run store to report on; give one or more files: upcast report A.db");
  }
  Runs runs;
  for (const std::string& path : store_paths) runs.stores.push_back(RunStore::open(path));
  for (const Shards& shards : group_runs(runs.stores))
    runs.data.push_back(fold_run(shards, most_cases));
  return runs;
}

std::optional<Changes> changes_since(const std::string& baseline, const Runs& runs) {
  if (baseline.empty()) return std::nullopt;
  constexpr int64_t kLimit = 200;  // how many cases are listed for each kind of change
  const RunStore& after = runs.stores.front();
  if (after.plan().shard.count > 1) {
    throw UsageError(
        "--baseline: the first run is in shards; merge them first: upcast merge SHARD.db... -o "
        "RUN.db");
  }
  const RunStore before = RunStore::open(baseline);
  return Changes{.before = summarize(before), .diff = diff_runs(before, after, kLimit)};
}

}  // namespace

std::string render_html(const ReportInput& all) {
  const Runs folded = fold_runs(all.stores, all.most_cases);
  const std::vector<RunData>& runs = folded.data;
  const std::optional<Changes> changes = changes_since(all.baseline, folded);
  std::vector<std::string> sides;
  for (const RunData& run : runs)
    sides.insert(sides.end(), {run.summary.subject, run.summary.oracle});
  ReportInput input = all;
  input.accuracy = all.accuracy.of_sides(sides);
  const std::vector<Section> sections = sections_of(runs, changes, input);
  const bool plots = !kPlotScript.empty();
  const std::string policy = fmt::format(
      "default-src 'none'; script-src {}{}; style-src {}; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      csp_hash(kPageScript), plots ? " " + csp_hash(kPlotScript) : "", csp_hash(kPageStyle));
  return filled(kPageTemplate,
                {{"policy", policy},
                 {"title", escaped(page_title(runs))},
                 {"version", escaped(runs.front().summary.upcast_version)},
                 {"style", std::string(kPageStyle)},
                 {"script", std::string(kPageScript)},
                 {"plot_script", plots ? fmt::format("<script>{}</script>\n", kPlotScript) : ""},
                 {"links", links(sections)},
                 {"sections", bodies(sections)},
                 {"data", page_json(runs, changes, input)}});
}

}  // namespace upcast::reports
