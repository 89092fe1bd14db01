#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/outputs/outputs.h"

namespace upcast::reports {
namespace {

/// Of the judged cases, those that agree or are known, cut off after the second digit: 99.99 % is
/// never shown as 100 %.
std::string share(const Counts& counts) {
  const int64_t judged = counts.ran - counts.not_judged;
  if (judged == 0) return "nothing judged";
  if (counts.unexplained == 0) return "100 %";
  const double good = static_cast<double>(counts.agree + counts.known);
  return fmt::format("{:.2f} %", std::floor(good / static_cast<double>(judged) * 1e4) / 100);
}

}  // namespace

std::string badge_json(const RunData& data) {
  const Summary& summary = data.summary;
  const char* color = "brightgreen";
  std::string message = share(summary.counts);
  if (summary.outlook() == Outlook::kIncomplete) {
    color = "lightgrey";
    message = "incomplete";
  } else if (summary.outlook() == Outlook::kUnexpected) {
    color = summary.counts.unexplained * 100 > summary.counts.ran ? "red" : "orange";
  }
  const nlohmann::ordered_json badge = {{"schemaVersion", 1},
                                        {"label", "behaves as " + summary.oracle},
                                        {"message", message},
                                        {"color", color}};
  return badge.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace upcast::reports
