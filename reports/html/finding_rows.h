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

/// The class of a finding that no known difference explains.
inline constexpr std::string_view kNewFinding = "new";

/// How many new findings have a row. Further ones are only counted.
inline constexpr std::size_t kMaxNewFindings = 50;

struct FindingRow {
  std::string name;  // for the row's address: the entry's name, or "new-2", "fuzzed-2"
  Severity severity = Severity::kCrash;
  std::string fault;             // what went wrong, in a few words
  std::string label;             // the entry's name, or the call
  std::vector<std::string> ops;  // ops with cases of the finding in the runs, the most first
  std::string group;             // the class of the entry, or kNewFinding
  std::string side;              // the name of the wrong side, or "undecided"
  std::int64_t cases = 0;        // how many cases the runs have
  std::int64_t fuzzed = 0;       // how many cases the campaigns have
  std::string query;             // a search for its cases in the runs; "": none finds them

  /// What the row is made from; null if absent: the measurement, the known difference as a run has
  /// it, the unexplained cases of a run, the finding of a campaign.
  const ReportFinding* measured = nullptr;
  const KnownEntry* entry = nullptr;
  const FailureGroup* failure = nullptr;
  const CampaignFinding* fuzzed_case = nullptr;
  /// The first recorded case of the finding, and the index of its run; null if there is none.
  const CaseRecord* record = nullptr;
  std::size_t run = 0;
};

struct FindingRows {
  std::vector<FindingRow> rows;   // the worst finding first
  std::int64_t new_left_out = 0;  // beyond kMaxNewFindings
};

/// Makes the rows for the findings of a report. Runs of rule books have none. The arguments must
/// outlive the rows.
FindingRows finding_rows(const std::vector<RunData>& runs, const ReportInput& input);

}  // namespace upcast::reports
