// The measurements of known differences that are built into the command.
#pragma once

#include <vector>

#include "reports/html/html_report.h"

namespace upcast::tools {

/// cases/measured_findings.json as it was at build time, the worst first, each with its entry. One
/// whose entry is gone is left out: cases.known_differences fails on that.
std::vector<reports::ReportFinding> measured_findings();

}  // namespace upcast::tools
