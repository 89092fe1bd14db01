// What a campaign prints while it runs, and in the end.
#pragma once

#include <functional>
#include <string>

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

using ShowCampaign = std::function<void(const CampaignState& state)>;

/// Runs it with a progress bar.
CampaignState show_progress(const std::function<CampaignState(const ShowCampaign& show)>& run);

/// The file of a log in which a campaign says what it is: the JSON of `--json`.
inline constexpr const char* kCampaignFile = "campaign.json";

/// Writes that file.
void note_campaign(const CampaignOptions& options, const CampaignState& state);

/// Writes the JSON, prints the first findings and the sums, and gives the exit code.
int tell_campaign(const CampaignOptions& options, const CampaignState& state,
                  const std::string& json_out);

}  // namespace upcast::tools
