// The section of rule books: the verdicts on each table, and which systems answer alike.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// The counts of each pair of a book and a table, the matrix of systems, and for each two systems
/// their answers by dtype, folded away. "" without such a run.
std::string systems_section(const std::vector<RunData>& runs);

}  // namespace upcast::reports
