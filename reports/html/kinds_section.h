// The section of differences by kind, which a compiler's developer reads first.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// The markup of the section; "" if no run has a difference.
std::string kinds_section(const std::vector<RunData>& runs);

}  // namespace upcast::reports
