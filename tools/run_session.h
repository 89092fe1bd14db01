// Runs `upcast run` once: starts workers, fills the store, shows progress, and sums up the outcome.
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
  std::string known_file;  // a TOML file; "": the built-in known differences
  std::string out;         // path of the store; "": deleted at the end
  std::string json;        // path; "-": standard output; "": no JSON
  std::string baseline;    // a run store to compare with; "": none
  int jobs = 1;
  Shard shard;
  std::int64_t block_size = 4096;
  double time_limit = 10;
  std::vector<std::string> witnesses{};  // sides to ask if the truth does not decide
  bool doubt = false;  // whether witnesses are also asked if subject and oracle agree
  /// How much a run must judge to pass; none: the default.
  std::optional<reports::LeastJudged> least_judged{};
};

struct RunOutcome {
  reports::Summary summary;
  RunEnd end = RunEnd::kDone;
  int deaths = 0;
  std::int64_t doubted = 0;             // cases that agree and that witnesses were asked about
  std::int64_t earlier_cases = 0;       // cases that earlier sessions had stored, not run again
  std::int64_t blocks_again = 0;        // blocks run again, because a case had timed out
  std::vector<std::string> overlaps;    // lines about overlapping known differences
  std::vector<std::string> miscounted;  // lines about declarations with wrong numbers of cells
  std::vector<CaseRecord> shown;        // all cases, if they are a list of at most kMaxShownCases
  std::vector<CaseRecord> failing;      // the first few unexplained cases
  reports::RulebookFold rulebooks;      // the results of --grid rulebooks
  std::optional<reports::RunDiff> against_baseline;
  std::vector<std::string> left_out;  // lines about tables that were not compared, with the reason
  std::optional<reports::LeastJudged> least_judged;

  /// The exit code of `upcast run`. With a baseline, a difference fails the run only if it got
  /// worse. Declared differences that stopped since, and less judged than least_judged says, fail
  /// the run too. Overlaps of known differences and miscounted declarations always do.
  int exit_code() const;
  /// Summary::too_little_words(): why too little was judged. "" with a baseline, unless
  /// least_judged is set.
  std::string too_little_words() const;
};

/// Runs the blocks of the plan that the store lacks, and sums up the store. Throws UsageError.
RunOutcome run_session(const RunOptions& options);

/// Reads a run store into `outcome`: its summary, the first failing cases, and, if the options name
/// a baseline, the changes since the baseline.
void sum_up(const reports::RunStore& store, const RunOptions& options, RunOutcome& outcome);

/// A run of a list with at most this many cases shows each case.
inline constexpr int kMaxShownCases = 64;
/// A run of a grid, or of a longer list, shows at most this many unexplained cases.
inline constexpr int kMaxShownFailures = 10;

}  // namespace upcast::tools
