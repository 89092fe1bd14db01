// The work on a campaign's findings after the engines have ended.
#pragma once

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

/// Asks what killed an engine in processes of its own: a known difference explains it, or it
/// becomes a finding. Then makes each finding simpler (`upcast minimize`) into
/// LOG/findings/HASH.json, with its programs (`upcast repro`), and runs what is in there: a run
/// store for each pair of sides, LOG/findings.db for the campaign's own. A finding whose simplest
/// signature is there already is left out; one that cannot be made simpler, or not within
/// options.follow_up seconds of all, stays as it was found. Updates crashes, signatures and stores.
void follow_up(const CampaignOptions& options, CampaignState& state);

}  // namespace upcast::tools
