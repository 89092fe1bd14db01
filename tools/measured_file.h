// Gives access to the measurements of known differences that are built into the command.
#pragma once

#include <vector>

#include "reports/html/html_report.h"

namespace upcast::tools {

/// The measured findings of cases/measured_findings.json, as they were at build time, the worst
/// first. Each has its known difference. A finding whose known difference was removed is left out;
/// the test cases.known_differences fails then.
std::vector<reports::ReportFinding> measured_findings();

}  // namespace upcast::tools
