// Decides when the engines of a campaign exchange inputs, also with other campaigns, and when the
// shared inputs are pruned.
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "oracle/process/child.h"
#include "tools/fuzz/exchange.h"
#include "tools/siblings/fuzz_flags.h"

namespace upcast::tools {

/// Exchanges between the campaign's own engines and, if options.exchange is not empty, with other
/// campaigns.
class Sharing {
 public:
  explicit Sharing(const CampaignOptions& options);

  /// Whether enough time has passed since the last exchange.
  bool is_due() const;
  void exchange(const std::vector<std::string>& jobs);
  /// Starts a pruning of the shared inputs if it is time, or ends one that is done. Does nothing if
  /// options.prune_every is 0.
  void prune();

 private:
  using Clock = std::chrono::steady_clock;

  std::string scratch() const { return options_.log + "/pruning"; }
  void begin_pruning();
  void end_pruning();

  const CampaignOptions& options_;
  Exchange exchange_;
  Clock::time_point stepped_, pruned_ = Clock::now();
  std::unique_ptr<Child> pruner_;
  std::set<std::string> listed_;  // the shared inputs when the pruner began
};

}  // namespace upcast::tools
