// Writes the data of the page: what its script needs to draw maps, matrices and cases.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/html/changes_section.h"
#include "reports/html/html_report.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// The data as JSON that is safe inside a <script> element: no '<', and every text valid UTF-8.
/// page/data.js, which reads it, describes its layout.
std::string page_json(const std::vector<RunData>& runs, const std::optional<Changes>& changes,
                      const ReportInput& input);

}  // namespace upcast::reports
