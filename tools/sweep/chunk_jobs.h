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
  std::vector<std::string> sides;  // names of sides: "impl:cpu", "libtorch:cpu"
  std::string out;                 // the file that keeps results; "": none
  int jobs = 1;
  Shard shard;
};

/// How many chunks of this shard are done, and how many it has; each chunk counts once for each
/// side.
struct SweepProgress {
  std::int64_t done = 0, planned = 0;
};
using ShowProgress = std::function<void(SweepProgress)>;

/// What one process of a sweep does: it computes chunks.
class ChunkWork {
 public:
  virtual ~ChunkWork() = default;
  /// Computes a chunk, and returns its statistics as an object by side. Throws UsageError if a side
  /// does not answer.
  virtual nlohmann::json run(std::int64_t chunk) = 0;
  virtual std::map<std::string, std::string> versions() const = 0;
};

/// The sides of a sweep, and the function that starts a process which sweeps them.
struct WorkGroup {
  std::vector<std::string> sides;
  /// Called at the start of each process; makes its work. `chunks` are those that the process will
  /// run, in order.
  std::function<std::unique_ptr<ChunkWork>(std::span<const std::int64_t> chunks)> start;
};

/// The results of a sweep, by side. Statistics must have merge(), and be readable from JSON.
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

/// Runs the chunks of a sweep that the file options.out lacks, and keeps their results there.
/// `kind` is part of the file's header: it distinguishes sweeps over the same plan. `take` gets the
/// statistics of every chunk and side, also of earlier runs. Throws UsageError if a side refuses
/// the op, if its version is not the one in the file, or if a process dies. Finished chunks stay in
/// the file.
JobsOutcome run_chunks(const SweepOptions& options, const std::string& kind, const WorkGroup& group,
                       const TakeStatistics& take, const ShowProgress& show);

/// A sweep that several runs did in parts, each with a file of its own.
struct SweepParts {
  SweepOptions options;  // only the plan and the sides are set
  std::string kind;
  SweepVersions versions;
  std::vector<nlohmann::json> chunks;
};

/// Reads the files of a sweep's parts. Throws UsageError if a file holds no sweep, another sweep
/// than the first file, or results of other versions.
SweepParts read_sweep_parts(const std::vector<std::string>& files);

/// Passes the statistics of the parts to `take`, once for each chunk and side. Throws UsageError if
/// one is damaged.
SweepProgress take_parts(const SweepParts& parts, const TakeStatistics& take);

/// Runs the chunks as run_chunks() does, and merges the statistics of each side.
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
