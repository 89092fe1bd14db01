// A campaign that gives a subject whole chains of calls, many in one batch, as a compiler takes
// them for one graph.
#pragma once

#include "tools/fuzz/campaign_output.h"

namespace upcast::tools {

/// Until the time is up, the runs are done or SIGINT; then the findings are made simpler, into
/// LOG/findings/HASH.json. An input stays in the corpus where it has a link of two calls that none
/// before it had: two ops, an op on a dtype, a dtype that becomes another one. Throws UsageError.
CampaignState run_chain_campaign(const CampaignOptions& options, const ShowCampaign& show);

/// Asks about one chain as text, and prints what both sides say to it. The exit code.
int replay_chain(const CampaignOptions& options, const std::string& text);

}  // namespace upcast::tools
