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

/// Runs blocks of one plan. All memory for a case is reused for the next one. A case that agrees
/// makes no string and no allocation of its own.
class BlockRunner {
 public:
  /// The arbiter rules on values that differ, in recorded cases and in those that a known
  /// difference would explain. If it finds both sides right, the case agrees. The witnesses are
  /// asked about recorded cases that differ. With `doubts` they are also asked about all cases that
  /// agree, and the case is recorded if a witness contradicts. `rules` rule on every unexplained
  /// case with another dtype, shape, strides or refusal.
  BlockRunner(const Plan& plan, Subject& subject, Subject& oracle, KnownMatcher& known,
              Journal& journal, Sides sides = {}, Arbiter arbiter = nullptr,
              Witnesses* witnesses = nullptr, bool doubts = false, RuleArbiter* rules = nullptr);

  /// Runs the cases in turn. The journal names the case and each side before it is asked. If one
  /// side crashes or times out, the other one is asked too, and its answer is recorded.
  BlockResult run(const BlockRequest& request);

 private:
  /// Tells the sides which cases come next.
  void announce(const BlockRequest& request);
  void enter_row(const GridRow& row);
  void ask(Subject& side, Actor which, std::int64_t index, Reply& reply);
  /// Asks both sides. A side that cannot change the verdict is not asked: if the other one does not
  /// answer, only the expectation of the case's line is judged.
  void ask_both(std::int64_t index);
  /// Whether the block has room for one more record of this verdict and known difference (0: none).
  bool is_recorded(VerdictCode code, int known) const;
  /// Returns is_recorded(), and counts the record if that is true.
  bool counts_as_recorded(VerdictCode code, int known);
  /// Whether the answers of witnesses are a reason to record a case that agrees.
  bool is_disputed(Verdict& verdict, BlockResult& result);
  void ask_witnesses(Verdict& verdict);
  void run_case(std::int64_t index, std::span<const DeadSide> dead, BlockResult& result);
  /// Records a case on which our own code died. The record has no case line, because making the
  /// case may be what died. The run store finds the line by the case's number.
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
  // Deaths of processes that the sides asked, in the current block.
  int deaths_ = 0;
  std::array<int, kVerdictNames.size()> recorded_{};  // records of the current block, by verdict
  std::set<int> known_recorded_;  // the known differences recorded in the current block
};

}  // namespace upcast
