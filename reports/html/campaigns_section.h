// The section of fuzzing campaigns: their rate, their findings, and the tuples that they never
// tried.
#pragma once

#include <string>
#include <vector>

#include "reports/campaign.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// The markup of the section; "" without a campaign. `summary` names the sides for the commands to
/// paste.
std::string campaigns_section(const std::vector<Campaign>& campaigns, const Summary& summary);

}  // namespace upcast::reports
