#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/outputs/outputs.h"

namespace upcast::reports {
namespace {

/// Of the judged cases, those that agree or are known, cut off after the second digit: 99.99 % is
/// never shown as 100 %.
std::string share(const Counts& counts) {
  const int64_t judged = counts.judged();
  if (judged == 0) return "nothing judged";
  if (counts.unexplained == counts.timeout) return "100 %";
  const double good = static_cast<double>(counts.agree + counts.known);
  return fmt::format("{:.2f} %", std::floor(good / static_cast<double>(judged) * 1e4) / 100);
}

}  // namespace

std::string badge_json(const std::vector<RunData>& runs) {
  Counts counts;
  Outlook worst = Outlook::kAsExpected;
  bool one_oracle = true;
  for (const RunData& run : runs) {
    counts.add(run.summary.counts);
    const Outlook outlook = run.summary.outlook();
    if (outlook > worst) worst = outlook;
    one_oracle = one_oracle && run.summary.oracle == runs.front().summary.oracle;
  }
  const char* color = "brightgreen";
  std::string message = share(counts);
  if (worst == Outlook::kIncomplete) {
    color = "lightgrey";
    message = "incomplete";
  } else if (worst == Outlook::kUnexpected) {
    color = counts.unexplained * 100 > counts.ran ? "red" : "orange";
  }
  const std::string label =
      "behaves as " + (one_oracle ? runs.front().summary.oracle : std::string("its oracle"));
  const nlohmann::ordered_json badge = {
      {"schemaVersion", 1}, {"label", label}, {"message", message}, {"color", color}};
  return badge.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace upcast::reports
