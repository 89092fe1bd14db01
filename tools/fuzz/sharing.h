// When the engines of a campaign exchange inputs, with others too, and prune what they share.
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

/// Among options.jobs, and through options.exchange where that is set.
class Sharing {
 public:
  explicit Sharing(const CampaignOptions& options);

  /// Whether it is time for an exchange.
  bool is_due() const;
  void exchange(const std::vector<std::string>& jobs);
  /// Starts a pruning where it is time for one, or ends the one that is done.
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
  std::set<std::string> listed_;  // before the pruner began
};

}  // namespace upcast::tools
