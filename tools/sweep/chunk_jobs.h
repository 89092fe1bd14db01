// Runs the chunks of a sweep in several processes, and keeps what they found.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cases/shard.h"
#include "tools/sweep/chunk_file.h"
#include "tools/sweep/sweep_plan.h"

namespace upcast::tools {

struct SweepOptions {
  SweepPlan plan;
  std::vector<std::string> sides;  // "impl:cpu", "libtorch:cpu", ...
  std::string out;                 // a file that keeps every chunk, "" for none
  int jobs = 1;
  Shard shard;
};

/// How many of this shard's chunks are done, all sides together.
struct SweepProgress {
  std::int64_t done = 0, planned = 0;
};
using ShowProgress = std::function<void(SweepProgress)>;

/// The work of one process of a sweep.
class ChunkWork {
 public:
  virtual ~ChunkWork() = default;
  /// Computes a chunk: statistics by side. Throws UsageError if a side does not answer.
  virtual nlohmann::json run(std::int64_t chunk) = 0;
  virtual std::map<std::string, std::string> versions() const = 0;
};

/// The work that the processes of a sweep share.
struct WorkGroup {
  std::vector<std::string> sides;
  /// Called in each process. `chunks` are those that it will run, in order.
  std::function<std::unique_ptr<ChunkWork>(std::span<const std::int64_t> chunks)> start;
};

/// The results of a sweep; Statistics has merge(), and is read from JSON.
template <class Statistics>
struct SweepOutcome {
  std::map<std::string, Statistics> sides;
  std::map<std::string, std::string> versions;
  SweepProgress progress;
  bool complete() const { return progress.done == progress.planned; }
};

struct JobsOutcome {
  std::map<std::string, std::string> versions;
  SweepProgress progress;
};

using TakeStatistics =
    std::function<void(const std::string& side, const nlohmann::json& statistics)>;

/// Runs the chunks. `kind` distinguishes sweeps of one plan in `out`. `take` gets the statistics of
/// every chunk and side; those that `out` holds are not run again. A side that refuses the op, a
/// side of another version than `out` holds, or a process that dies ends the sweep with a
/// UsageError. Finished chunks stay in `out`.
JobsOutcome run_chunks(const SweepOptions& options, const std::string& kind, const WorkGroup& group,
                       const TakeStatistics& take, const ShowProgress& show);

/// A sweep that several runs did in parts, each with an `out` of its own.
struct SweepParts {
  SweepOptions options;  // the plan and the sides
  std::string kind;
  SweepVersions versions;
  std::vector<nlohmann::json> chunks;
};

/// Reads the parts. Throws UsageError if a file holds no sweep, another sweep than the first, or
/// results of other versions.
SweepParts read_sweep_parts(const std::vector<std::string>& files);

/// Passes each chunk of each side on once. Throws UsageError if one is damaged.
SweepProgress take_parts(const SweepParts& parts, const TakeStatistics& take);

/// The same, merged.
template <class Statistics>
SweepOutcome<Statistics> run_and_merge(const SweepOptions& options, const std::string& kind,
                                       const WorkGroup& group, const ShowProgress& show) {
  SweepOutcome<Statistics> outcome;
  const auto take = [&](const std::string& side, const nlohmann::json& statistics) {
    outcome.sides[side].merge(statistics.get<Statistics>());
  };
  JobsOutcome jobs = run_chunks(options, kind, group, take, show);
  outcome.versions = std::move(jobs.versions);
  outcome.progress = jobs.progress;
  return outcome;
}

template <class Statistics>
SweepOutcome<Statistics> merge_parts(const SweepParts& parts) {
  SweepOutcome<Statistics> outcome;
  const auto take = [&](const std::string& side, const nlohmann::json& statistics) {
    outcome.sides[side].merge(statistics.get<Statistics>());
  };
  outcome.progress = take_parts(parts, take);
  outcome.versions = parts.versions;
  return outcome;
}

}  // namespace upcast::tools
