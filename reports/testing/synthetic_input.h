// What a report shows besides its runs, made up: measurements, a campaign, stories.
#pragma once

#include <string>
#include <vector>

#include "reports/html/html_report.h"

namespace upcast::reports::testing {

/// The report of the stores with all views filled. `folder` is where a campaign's files are
/// written. Where `hostile`, every text from outside has markup in it.
ReportInput synthetic_input(const std::vector<std::string>& stores, const std::string& folder,
                            bool hostile);

}  // namespace upcast::reports::testing
