// The data island of the page: what its script needs to draw maps, matrices and cases.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// JSON that is safe inside a <script> element: no '<', and every text valid UTF-8. Its layout is
/// described in page/data.js, which reads it.
std::string page_json(const std::vector<RunData>& runs);

}  // namespace upcast::reports
