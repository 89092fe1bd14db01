// Shards: several run stores that together hold one run.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// Collects the shards of one run, and checks each as it comes.
class ShardsOfOneRun {
 public:
  /// Takes a shard. Throws UsageError unless it is a new shard of the first one's plan. Both must
  /// have the same sides, the same known differences, and the same versions of what answers
  /// (upcast, LibTorch). Their machines may differ.
  void take(const RunPlan& plan);
  bool has(int index) const { return shards_.contains(index); }

 private:
  std::optional<RunPlan> first_;
  std::set<int> shards_;
};

/// Checks that the plans of all stores are shards of one run.
void check_shards(const std::vector<const RunStore*>& stores);

using Shards = std::vector<const RunStore*>;

/// The day on which the first of the shards began; "" if no store has a day.
std::string first_date(const Shards& shards);

/// Groups stores into runs. Shards of one plan with the same sides belong together. A store that is
/// not one of several shards is a run of its own. Runs are in the order in which their first stores
/// were given.
std::vector<Shards> group_runs(const std::deque<RunStore>& stores);

}  // namespace upcast::reports
