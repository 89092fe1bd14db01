// Minimises and explains a campaign's findings after its engines have ended.
#pragma once

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

/// Runs each input that killed an engine in a process of its own. Unless a known difference
/// explains it, it becomes a finding. Then minimises each finding (`upcast minimize`) into
/// LOG/findings/HASH.json, and writes its programs (`upcast repro`). Last, runs all findings into
/// run stores, one for each pair of sides; LOG/findings.db is that of the campaign's own sides. If
/// two findings have the same simplest signature, one is kept. A finding that cannot be minimised
/// within options.follow_up seconds, which are for all findings, stays as it was found. Updates
/// `state`: its crashes, signatures and stores.
void follow_up(const CampaignOptions& options, CampaignState& state);

}  // namespace upcast::tools
