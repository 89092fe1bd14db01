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

/// How many new findings have a row. Further ones are counted only.
inline constexpr std::size_t kMaxNewFindings = 50;

struct FindingRow {
  std::string name;  // for its address: its entry's, or "new-2" and "fuzzed-2"
  Severity severity = Severity::kCrash;
  std::string fault;             // the fault in a few words
  std::string label;             // its entry's name, or the call
  std::vector<std::string> ops;  // ops in the runs, those with the most cases first
  std::string group;             // the entry's class, or kNewFinding
  std::string side;              // the wrong side; "undecided"
  std::int64_t cases = 0;        // of the runs
  std::int64_t fuzzed = 0;       // of the campaigns
  std::string query;             // a search for its cases in the runs; "": there is none

  /// The sources of the row, null if absent: the measurement, the entry as a run knows it, the
  /// unexplained cases of a run, the finding of a campaign.
  const ReportFinding* measured = nullptr;
  const KnownEntry* entry = nullptr;
  const FailureGroup* failure = nullptr;
  const CampaignFinding* fuzzed_case = nullptr;
  /// Its first recorded case, in this run; null if there is none.
  const CaseRecord* record = nullptr;
  std::size_t run = 0;
};

struct FindingRows {
  std::vector<FindingRow> rows;   // the worst first
  std::int64_t new_left_out = 0;  // beyond kMaxNewFindings
};

/// The rows of a report. Runs of rule books have none. The arguments must outlive the rows.
FindingRows finding_rows(const std::vector<RunData>& runs, const ReportInput& input);

}  // namespace upcast::reports
