// The section of findings: a table, the worst first, and a card for each finding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/html/finding_rows.h"

namespace upcast::reports {

/// The markup of the section; "" without a finding.
std::string findings_section(const FindingRows& findings, const std::vector<RunData>& runs);

/// How many findings there are, as the navigation shows it.
std::int64_t finding_count(const FindingRows& findings);

/// The texts that opened cards show and copy: [{name, issue, cpp}] of measured findings, as
/// base64(deflate(JSON)).
std::string findings_json(const FindingRows& findings);

}  // namespace upcast::reports
