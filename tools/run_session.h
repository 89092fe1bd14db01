// One execution of `upcast run`: workers, store, progress, outcome.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/host/supervisor.h"
#include "oracle/known/known_overlaps.h"
#include "reports/rulebook_fold.h"
#include "reports/run_diff.h"
#include "reports/summary.h"
#include "tools/case_source.h"

namespace upcast::tools {

struct RunOptions {
  CaseSource source;
  std::string subject = "impl:cpu";
  std::string oracle = "libtorch:cpu";
  std::string known_file;  // "": the known differences that are built in
  std::string out;         // "": a store that is deleted at the end
  std::string json;        // a file, "-", or ""
  std::string baseline;    // a run store to compare with, or ""
  int jobs = 1;
  Shard shard;
  std::int64_t block_size = 4096;
  double time_limit = 10;
  std::vector<std::string> witnesses{};  // sides that are asked where the truth does not decide
  bool doubt = false;  // whether they are also asked where subject and oracle agree
  std::optional<reports::LeastJudged> least_judged{};  // how much must be judged for a pass
};

struct RunOutcome {
  reports::Summary summary;
  RunEnd end = RunEnd::kDone;
  int deaths = 0;
  std::int64_t doubted = 0;       // agreeing cases of this session about which witnesses were asked
  std::int64_t blocks_again = 0;  // blocks stored before, with a case that had timed out
  std::vector<std::string> overlaps;    // a line each
  std::vector<std::string> miscounted;  // declarations of rule books with wrong numbers of cells
  std::vector<CaseRecord> shown;        // every case of a short list, in order
  std::vector<CaseRecord> failing;      // the first few unexplained ones
  reports::RulebookFold rulebooks;      // of --grid rulebooks
  std::optional<reports::RunDiff> against_baseline;
  std::vector<std::string> left_out;  // tables that no rule book claims, with the reason
  std::optional<reports::LeastJudged> least_judged;

  /// The exit code. With a baseline, only cases that got worse and declared differences that
  /// stopped since count, and how much was judged if least_judged is set.
  int exit_code() const;
  /// Summary::too_little_words(). With a baseline coverage has no floor.
  std::string too_little_words() const;
};

/// Runs what was not run yet of the plan. Throws UsageError.
RunOutcome run_session(const RunOptions& options);

/// Sums up the store: its summary, the first failing cases, and, where the options name a baseline,
/// the changes since then.
void sum_up(const reports::RunStore& store, const RunOptions& options, RunOutcome& outcome);

/// Lists of at most this many cases are shown case by case.
inline constexpr int kMaxShownCases = 64;
/// How many unexplained cases a longer run shows.
inline constexpr int kMaxShownFailures = 10;

}  // namespace upcast::tools
