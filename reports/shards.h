// Shards: several stores that hold one run.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// Throws UsageError unless the stores are different shards of one plan, with the same sides, the
/// same known differences and the same versions of what answers (upcast, LibTorch). Their machines
/// may differ.
void check_shards(const std::vector<const RunStore*>& stores);

using Shards = std::vector<const RunStore*>;

/// The day on which the first of the shards began; "" where no store says.
std::string first_date(const Shards& shards);

/// Shards of one plan, with the same sides, belong together; a store that is not one of several
/// shards is a run of its own. In the order in which each run's first store was given.
std::vector<Shards> group_runs(const std::deque<RunStore>& stores);

}  // namespace upcast::reports
