// Writes the sections that need no script: verdict, counts, failures, known differences.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// The page's title: "impl:cpu against libtorch:cpu".
std::string page_title(const std::vector<RunData>& runs);

/// The markup of a section for all runs, one after the other. `news`: markup below the first run's
/// verdict.
std::string summary_section(const std::vector<RunData>& runs, const std::string& news);
std::string failures_section(const std::vector<RunData>& runs);
std::string known_section(const std::vector<RunData>& runs);

}  // namespace upcast::reports
