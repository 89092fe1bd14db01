// Several campaigns as one: those of a cluster's nodes, and of tasks that were killed and went on.
#pragma once

#include <string>
#include <vector>

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

/// A campaign as its folders hold it.
struct CampaignParts {
  std::string corpus, log;
  double seconds = 0;     // 0 of one that was killed
  bool has_ended = true;  // else it was killed
};

/// The corpora, each with its log next to it, CORPUS.log. Writes the target and the sides, which
/// all must have, into `options`. Throws UsageError where a folder is no campaign's, or is given
/// twice.
std::vector<CampaignParts> read_parts(const std::vector<std::string>& corpora,
                                      CampaignOptions& options);

/// Sums, the findings once for each signature, the tuples that any of them asked, and the inputs
/// that have a feature of their own: in options.corpus and options.log, which must be new. Inputs
/// of options.exchange are taken too. What the campaigns have is left as it is.
CampaignState merge_campaigns(const std::vector<CampaignParts>& parts,
                              const CampaignOptions& options);

}  // namespace upcast::tools
