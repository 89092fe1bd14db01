// Shards: several stores that hold one run.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// The shards of one run, checked one by one.
class ShardsOfOneRun {
 public:
  /// Takes a shard. Throws UsageError unless it is another shard of the first one's plan, with the
  /// same sides, the same known differences and the same versions of what answers (upcast,
  /// LibTorch). Their machines may differ.
  void take(const RunPlan& plan);
  bool has(int index) const { return shards_.contains(index); }

 private:
  std::optional<RunPlan> first_;
  std::set<int> shards_;
};

/// Checks the plans of all stores.
void check_shards(const std::vector<const RunStore*>& stores);

using Shards = std::vector<const RunStore*>;

/// The day on which the first of the shards began; "" if no store says.
std::string first_date(const Shards& shards);

/// Shards of one plan, with the same sides, belong together; a store that is not one of several
/// shards is a run of its own. In the order in which each run's first store was given.
std::vector<Shards> group_runs(const std::deque<RunStore>& stores);

}  // namespace upcast::reports
