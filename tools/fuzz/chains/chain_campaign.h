// A campaign that gives a subject whole chains of calls, many in one batch, as a compiler takes
// them for one graph.
#pragma once

#include "tools/fuzz/campaign_output.h"

namespace upcast::tools {

/// Runs until the time is up, the runs are done, or SIGINT comes. Then writes each finding,
/// minimised, to LOG/findings/HASH.json. A chain stays in the corpus if two calls in a row have a
/// new feature, such as a new pair of ops or an op on a new dtype. Throws UsageError.
CampaignState run_chain_campaign(const CampaignOptions& options, const ShowCampaign& show);

/// Asks both sides about one chain, given as text, and prints what they answer. Returns the exit
/// code.
int replay_chain(const CampaignOptions& options, const std::string& text);

}  // namespace upcast::tools
