#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "reports/outputs/outputs.h"

namespace upcast::reports {
namespace {

/// The badge's message: the share of judged cases that agree or are known. If not all were judged,
/// also how many of all cases were.
std::string message_of(const Counts& counts, double covered) {
  const int64_t judged = counts.judged();
  if (judged == 0) return "nothing judged";
  const double good = static_cast<double>(counts.agree + counts.known);
  const std::string share = counts.unexplained == counts.timeout
                                ? cut_percent(1)
                                : cut_percent(good / static_cast<double>(judged));
  if (covered >= 1) return share;
  return fmt::format("{} of {} judged, {} covered", share, grouped(judged), cut_percent(covered));
}

}  // namespace

std::string badge_json(const std::vector<RunData>& runs) {
  Counts counts;
  Outlook worst = Outlook::kAsExpected;
  bool one_oracle = true, is_unfinished = false;
  double cases = 0, covered = 0;
  for (const RunData& run : runs) {
    counts.add(run.summary.counts);
    const Outlook outlook = run.summary.outlook();
    if (outlook > worst) worst = outlook;
    is_unfinished = is_unfinished || run.summary.outlook_of_judged() == Outlook::kIncomplete;
    const auto whole = static_cast<double>(run.summary.coverage.whole.cases);
    cases += whole;
    covered += run.summary.coverage.share * whole;
    one_oracle = one_oracle && run.summary.oracle == runs.front().summary.oracle;
  }
  const char* color = "brightgreen";
  std::string message = message_of(counts, cases > 0 ? covered / cases : 1);
  if (worst == Outlook::kIncomplete) {
    color = "lightgrey";
    if (is_unfinished) message = "incomplete";
  } else if (worst == Outlook::kUnexpected) {
    color = counts.unexplained * 100 > counts.judged() ? "red" : "orange";
  }
  const std::string label =
      "behaves as " + (one_oracle ? runs.front().summary.oracle : std::string("its oracle"));
  const nlohmann::ordered_json badge = {
      {"schemaVersion", 1}, {"label", label}, {"message", message}, {"color", color}};
  return dump_json(badge, 1) + "\n";
}

}  // namespace upcast::reports
