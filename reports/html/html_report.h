// Writes the compatibility report: run stores in, one self-contained HTML file out.
#pragma once

#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "cases/measured_findings.h"
#include "reports/accuracy_table.h"
#include "reports/book_shelf.h"
#include "reports/campaign.h"
#include "reports/case_story.h"
#include "reports/outputs/issue_markdown.h"
#include "reports/run_data.h"
#include "reports/run_store.h"

namespace upcast::reports {

/// What a report is made from.
struct ReportInput {
  std::vector<std::string> stores;  // paths of run stores; shards of one plan make one run
  std::string baseline{};           // path of the earlier run to compare with; "": none
  std::vector<Campaign> campaigns{};
  AccuracyTable accuracy{};  // measured errors; only those of the runs' sides are shown
  CaseTeller teller{};       // makes the stories of noteworthy cases; may be empty
  BookShelf books{};         // answers of rule books for the map; may be empty
  std::vector<ReportFinding> findings{};  // measured findings, the worst first
  int64_t most_cases = kMostCases;        // a run of more cases is summed
};

/// The report of one or several runs: the text of one HTML file.
///
/// It opens from disk, asks the network for nothing and runs no script but its own (content
/// security policy by hash). Its summary, failures, findings, changes, campaigns and known
/// differences are readable without a script. The same input gives the same bytes. Throws
/// UsageError if a store cannot be read.
std::string render_html(const ReportInput& input);

}  // namespace upcast::reports
