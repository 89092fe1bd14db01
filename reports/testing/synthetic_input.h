// Makes up what a report shows in addition to its runs: measurements, a campaign, stories.
#pragma once

#include <string>
#include <vector>

#include "reports/html/html_report.h"

namespace upcast::reports::testing {

/// The input of a report of the given stores in which all views have something to show. A
/// campaign's files are written to `folder`. If `hostile`, every text from outside has markup in
/// it.
ReportInput synthetic_input(const std::vector<std::string>& stores, const std::string& folder,
                            bool hostile);

}  // namespace upcast::reports::testing
