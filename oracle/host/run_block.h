// A block of cases: both sides answer, the judge compares, known differences are told apart.
#pragma once

#include <array>
#include <set>
#include <span>

#include "cases/grid.h"
#include "oracle/host/block.h"
#include "oracle/judge.h"
#include "oracle/known/known_matcher.h"
#include "oracle/reply.h"
#include "oracle/arbiter.h"
#include "oracle/subject.h"

namespace upcast {

/// Runs blocks of one plan. Everything it needs for a case is reused for the next: a case that
/// agrees makes no string and no allocation of its own.
class BlockRunner {
 public:
  /// The arbiter rules on values that differ, of cases that are recorded and of those that a known
  /// difference would explain. Where it finds both sides right, the case agrees.
  BlockRunner(const Plan& plan, Subject& subject, Subject& oracle, KnownMatcher& known,
              Journal& journal, Sides sides = {}, Arbiter arbiter = nullptr);

  /// Each case in turn; the journal names the case and the side before it is at work. A dead side
  /// is not asked, the other one is: its answer stands beside the crash or timeout.
  BlockResult run(const BlockRequest& request);

 private:
  /// What a side said, with what is known of its death.
  struct BlockReply : Reply {
    const DeadSide* dead = nullptr;
    DeadSide told;  // what `dead` points to where the side itself told of its death

    void set_dead(const DeadSide* side);
    std::uint8_t code() const;
    std::string text() const;
  };

  /// Tells the sides what is coming.
  void announce(const BlockRequest& request);
  void enter_row(const GridRow& row);
  void ask(Subject& side, Actor which, std::int64_t index, BlockReply& reply);
  Verdict judged(const DeadSide* dead_judge) const;
  /// The case's own expectation, for each side that answered. A known difference excuses the
  /// oracle, nothing excuses the subject.
  void judge_expectations(bool known, Verdict& verdict) const;
  /// Asks the arbiter about values that differ, where it is recorded what he says. They agree where
  /// each side is within its own bound: the judge knows how far two may be apart, he the truth.
  void rule(Verdict& verdict, int known);
  bool is_recorded(VerdictCode code, int known) const;
  void record(std::int64_t index, const Verdict& verdict, int known, BlockResult& result);
  void run_case(std::int64_t index, std::span<const DeadSide> dead, BlockResult& result);

  const Plan& plan_;
  Subject& subject_;
  Subject& oracle_;
  KnownMatcher& known_;
  Journal& journal_;
  Sides sides_;
  Arbiter arbiter_;

  Case case_;
  BlockReply subject_reply_;
  BlockReply oracle_reply_;
  Ruling ruling_;  // on the case under way, where the arbiter was asked
  bool record_all_ = false;
  int deaths_ = 0;                                    // in the block under way
  std::array<int, kVerdictNames.size()> recorded_{};  // of the block under way, by verdict
  std::set<int> known_recorded_;                      // and which known differences
};

}  // namespace upcast
