// Runs the chunks of a sweep in several processes, and keeps what they found.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "oracle/truth/ulp_statistics.h"
#include "tools/sweep/sweep_plan.h"

namespace upcast::tools {

struct SweepOptions {
  SweepPlan plan;
  std::vector<std::string> sides;  // "impl:cpu", "libtorch:cpu", ...
  std::string out;                 // a file that keeps every chunk, "" for none
  int jobs = 1;
  std::int64_t shard = 0, shards = 1;
};

/// Chunks done of those that are this shard's, all sides together.
struct SweepProgress {
  std::int64_t done = 0, planned = 0;
};

struct SweepOutcome {
  std::map<std::string, truth::UlpStatistics> sides;
  std::map<std::string, std::string> versions;
  SweepProgress progress;
  bool complete() const { return progress.done == progress.planned; }
};

/// Chunks that `out` holds are not run again. A side that refuses the op, or a worker that dies,
/// ends the sweep with a UsageError; what is done stays in `out`.
SweepOutcome run_sweep(const SweepOptions& options, const std::function<void(SweepProgress)>& show);

}  // namespace upcast::tools
