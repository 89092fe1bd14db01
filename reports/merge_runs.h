// Merges the shards of one run into one store.
#pragma once

#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// The parts that a merged store lacks; none if it is complete.
struct MergeGaps {
  std::vector<Shard> missing_shards;  // shards for which no store was given
  std::vector<std::pair<std::string, int64_t>>
      partial;  // stores, with the number of blocks that each lacks

  bool empty() const { return missing_shards.empty() && partial.empty(); }
};

/// Writes `out` from the stores at `paths`: one run of shard 1/1 that holds each block once, with
/// its records, the counts of known differences, and the summed run time. A complete one equals the
/// store of an undivided run in everything but the run time; an incomplete one may be gone on with.
/// The file appears only when it is whole. Where machines differ, the environment names each.
///
/// UsageError: the stores hold different plans, sides or versions, the same shard twice, or `out`
/// exists.
MergeGaps merge_runs(const std::vector<std::string>& paths, const std::string& out);

}  // namespace upcast::reports
