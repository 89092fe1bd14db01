// Prints the progress of a campaign while it runs, and its results in the end.
#pragma once

#include <functional>
#include <string>

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

using ShowCampaign = std::function<void(const CampaignState& state)>;

/// Calls `run`, which runs a campaign, and shows a progress bar meanwhile.
CampaignState show_progress(const std::function<CampaignState(const ShowCampaign& show)>& run);

/// The file in a campaign's log with its target, sides and counts: the same JSON as that of
/// `--json`.
inline constexpr const char* kCampaignFile = "campaign.json";

/// Writes kCampaignFile into the campaign's log.
void note_campaign(const CampaignOptions& options, const CampaignState& state);

/// Writes the JSON of an ended campaign, prints its first findings and its sums, and returns the
/// exit code.
int tell_campaign(const CampaignOptions& options, const CampaignState& state,
                  const std::string& json_out);

}  // namespace upcast::tools
