// The rows of the page of findings: each known difference that the runs and campaigns met, and each
// new difference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/html_report.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// The class of differences that no entry explains.
inline constexpr std::string_view kNewFinding = "new";

/// Further rows of new findings are counted only.
inline constexpr std::size_t kMaxNewFindings = 50;

struct FindingRow {
  std::string name;  // of its address: its entry's, or "new-2" and "fuzzed-2"
  Severity severity = Severity::kCrash;
  std::string fault;             // in a few words
  std::string label;             // its entry, or what is called
  std::vector<std::string> ops;  // in the runs, the most cases first
  std::string group;             // the entry's class, or kNewFinding
  std::string side;              // that is wrong; "undecided"
  std::int64_t cases = 0;        // of the runs
  std::int64_t fuzzed = 0;       // of the campaigns
  std::string query;             // finds the cases of the runs; "" where no search can

  /// Null where it is not there: what was measured, the entry as a run knows it, the cases of a run
  /// that nothing explains, what a campaign found.
  const ReportFinding* measured = nullptr;
  const KnownEntry* entry = nullptr;
  const FailureGroup* failure = nullptr;
  const CampaignFinding* fuzzed_case = nullptr;
  /// Its first recorded case, in this run; null where none is.
  const CaseRecord* record = nullptr;
  std::size_t run = 0;
};

struct FindingRows {
  std::vector<FindingRow> rows;   // the worst first
  std::int64_t new_left_out = 0;  // beyond kMaxNewFindings
};

/// Runs of rule books have none. The arguments outlive the rows.
FindingRows finding_rows(const std::vector<RunData>& runs, const ReportInput& input);

}  // namespace upcast::reports
