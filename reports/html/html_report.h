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

/// The inputs of a report.
struct ReportInput {
  std::vector<std::string> stores;  // files; stores of one plan with different shards are one run
  std::string baseline{};           // an earlier run that the first one is compared with; "": none
  std::vector<Campaign> campaigns{};
  AccuracyTable accuracy{};               // of these, rows about the runs' sides are shown
  CaseTeller teller{};                    // makes the stories of noteworthy cases; may be empty
  BookShelf books{};                      // for the promotion map; may be empty
  std::vector<ReportFinding> findings{};  // the worst first; those that occur are shown
  int64_t most_cases = kMostCases;        // a run of more cases is summed
};

/// The report of one or several runs: the text of one HTML file.
///
/// It opens from disk, asks the network for nothing and runs no script but its own (content
/// security policy by hash). Its summary, failures, findings, changes, campaigns and known
/// differences are readable without a script. The same input gives the same bytes. UsageError: a
/// store cannot be read.
std::string render_html(const ReportInput& input);

}  // namespace upcast::reports
