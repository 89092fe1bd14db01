// Runs a block of cases: both sides answer, the judge compares, known differences explain.
#pragma once

#include <array>
#include <set>
#include <span>

#include "cases/grid.h"
#include "oracle/conclude.h"
#include "oracle/host/block.h"
#include "oracle/subject.h"
#include "oracle/witnesses.h"

namespace upcast {

/// Runs blocks of one plan. Everything it needs for a case is reused for the next: a case that
/// agrees makes no string and no allocation of its own.
class BlockRunner {
 public:
  /// The arbiter rules on values that differ, of cases that are recorded and of those that a known
  /// difference would explain. Where it finds both sides right, the case agrees. The witnesses are
  /// asked about recorded cases that differ; with `doubts` about all that agree as well, and those
  /// are recorded of which a witness says otherwise. `rules` rule on every case in which nothing
  /// explains another dtype, shape, strides or refusal.
  BlockRunner(const Plan& plan, Subject& subject, Subject& oracle, KnownMatcher& known,
              Journal& journal, Sides sides = {}, Arbiter arbiter = nullptr,
              Witnesses* witnesses = nullptr, bool doubts = false, RuleArbiter* rules = nullptr);

  /// Each case in turn; the journal names the case and the side before it is at work. If one side
  /// crashes or times out, the other one is asked, and its answer is recorded too.
  BlockResult run(const BlockRequest& request);

 private:
  /// Tells the sides which cases come next.
  void announce(const BlockRequest& request);
  void enter_row(const GridRow& row);
  void ask(Subject& side, Actor which, std::int64_t index, Reply& reply);
  /// Asks both sides. A side that cannot change the verdict is not asked: where the other one does
  /// not answer, nothing is judged but the expectation of the case's line.
  void ask_both(std::int64_t index);
  /// Whether the block still has room for a record of this verdict and known difference (0: none).
  bool is_recorded(VerdictCode code, int known) const;
  /// As is_recorded(), and counts the record.
  bool counts_as_recorded(VerdictCode code, int known);
  /// Whether the answers of witnesses are a reason to record a case that agrees.
  bool is_disputed(Verdict& verdict, BlockResult& result);
  void ask_witnesses(Verdict& verdict);
  void run_case(std::int64_t index, std::span<const DeadSide> dead, BlockResult& result);
  /// Records a case on which our own code died. The case may be what cannot be made: the run store
  /// knows its line.
  void record_our_death(const DeadSide& death, BlockResult& result);

  const Plan& plan_;
  Subject& subject_;
  Subject& oracle_;
  KnownMatcher& known_;
  Journal& journal_;
  ConcludeSettings settings_;
  Witnesses* witnesses_;
  bool doubts_;

  Case case_;
  Reply subject_reply_;
  Reply oracle_reply_;
  bool record_all_ = false;
  int deaths_ = 0;                                    // in the block under way
  std::array<int, kVerdictNames.size()> recorded_{};  // of the block under way, by verdict
  std::set<int> known_recorded_;                      // and which known differences
};

}  // namespace upcast
