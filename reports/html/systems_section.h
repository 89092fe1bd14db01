// The section of rule books: the verdicts on each table, and which promotion systems answer alike.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// The markup of the section: the counts of each pair of a book and a table, the matrix of systems,
/// and, folded away, the answers by dtype of every two systems. "" without a run of rule books.
std::string systems_section(const std::vector<RunData>& runs);

}  // namespace upcast::reports
