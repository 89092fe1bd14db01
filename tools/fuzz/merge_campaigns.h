// Merges several campaigns into one: those of a cluster's nodes, and those of tasks that were
// killed and started again.
#pragma once

#include <string>
#include <vector>

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

/// A campaign to merge, as its folders describe it.
struct CampaignParts {
  std::string corpus, log;
  double seconds = 0;     // 0: the campaign was killed
  bool has_ended = true;  // false: the campaign was killed
};

/// Reads the campaigns of these corpora; the log of CORPUS is CORPUS.log. Writes their target and
/// sides, which must be the same in all, into `options`. Throws UsageError if a folder is not a
/// campaign's, or is given twice.
std::vector<CampaignParts> read_parts(const std::vector<std::string>& corpora,
                                      CampaignOptions& options);

/// Merges the campaigns into options.corpus and options.log, which must be new, and leaves their
/// own folders as they are. Adds the counts. Keeps one finding for each signature, the tuples that
/// any campaign asked, and the inputs that add a feature. Takes the inputs of options.exchange too.
CampaignState merge_campaigns(const std::vector<CampaignParts>& parts,
                              const CampaignOptions& options);

}  // namespace upcast::tools
