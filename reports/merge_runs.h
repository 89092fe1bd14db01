// Merges the shards of one run into one store.
#pragma once

#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// What a merged store lacks; nothing if it is complete.
struct MergeGaps {
  std::vector<Shard> missing_shards;  // shards for which no store was given
  std::vector<std::pair<std::string, int64_t>>
      partial;  // incomplete stores, with the number of blocks that each lacks

  bool empty() const { return missing_shards.empty() && partial.empty(); }
};

/// Merges the stores at `paths` into a new store `out`: one run of shard 1/1 that holds each block
/// once, with its records, the counts of known differences, and the summed run time. If it is
/// complete, it equals the store of an undivided run in everything but the run time. If it is
/// incomplete, the run can be resumed. The file appears only when it is whole. If the stores'
/// machines differ, the environment names each.
///
/// Throws UsageError if the stores hold different plans, sides or versions, or the same shard
/// twice, or if `out` exists.
MergeGaps merge_runs(const std::vector<std::string>& paths, const std::string& out);

}  // namespace upcast::reports
