// Differences by kind on the page, what a compiler's developer reads first.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// "" where no run has a difference.
std::string kinds_section(const std::vector<RunData>& runs);

}  // namespace upcast::reports
