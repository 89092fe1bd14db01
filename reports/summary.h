// A fold over a run store: how many cases, with which verdicts, and what follows from it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/counted.h"
#include "reports/blame.h"
#include "reports/coverage.h"
#include "reports/run_store.h"
#include "reports/side_name.h"

namespace upcast::reports {

/// Counts of one run, of one shard of it, or of all its shards together.
///
/// ran = agree + known + not_judged + unexplained. crash, timeout, expectation are the unexplained
/// cases with that verdict; side_died counts every case in which a side crashed or timed out, a
/// known one included.
struct Counts {
  int64_t planned = 0;
  int64_t ran = 0;
  int64_t agree = 0;
  int64_t known = 0;
  int64_t unexplained = 0;
  int64_t not_judged = 0;
  int64_t crash = 0;
  int64_t timeout = 0;
  int64_t expectation = 0;
  int64_t side_died = 0;
  int64_t values_judged = 0;
  std::array<int64_t, kVerdictNames.size()> by_verdict{};

  /// Cases of which a verdict says something about two answers.
  int64_t judged() const { return ran - not_judged - timeout; }
  /// The most severe verdict of a case (reports/verdict_look.h).
  VerdictCode worst() const;
  void add(VerdictCode verdict, AnswerByte subject, AnswerByte oracle);
  void add(const Counts& other);
};

/// Exit codes of the command (docs/guide.md).
enum class Outlook { kAsExpected = 0, kUnexpected = 1, kIncomplete = 3 };

struct Summary {
  Counts counts;
  Coverage coverage;
  BlameCounts blame;                                // of all cases
  std::array<int64_t, kAloneNames.size()> alone{};  // records with witnesses, by who stands alone
  bool complete = false;             // every planned case ran, and the run said it was through
  int shards = 1, shards_given = 1;  // of the run, and those of them that are folded here
  bool judges_values = true;
  double seconds = 0;
  std::string subject, oracle, source, upcast_version, plan_digest;
  std::string date;  // the day on which the run began, its first shard; "" in stores of before
  std::map<std::string, std::string> environment;
  std::vector<KnownEntry> known;
  /// Entries that name cases of this run, none of which differs any more; empty unless
  /// `tells_stale`. Each fails the run until its row is deleted.
  std::vector<KnownEntry> stale;

  /// Whether it is complete with all its shards: what an entry explains may lie in a part that is
  /// not there.
  bool tells_stale() const { return complete && shards_given == shards; }

  /// By its id; null for 0.
  const KnownEntry* entry(int id) const {
    return id == 0 ? nullptr : &known.at(static_cast<size_t>(id) - 1);
  }
  /// Known differences with a case.
  int64_t occurring() const;
  /// Records about which witnesses were asked.
  int64_t witnessed() const;
  /// What people call the sides (reports/side_name.h).
  std::string subject_name() const { return side_name(subject, environment, "subject.name"); }
  std::string oracle_name() const { return side_name(oracle, environment, "oracle.name"); }
  CalledSides sides() const { return {subject, oracle, subject_name(), oracle_name()}; }
  /// "impl:cpu against libtorch:cpu", by these names.
  std::string title() const { return subject_name() + " against " + oracle_name(); }
  double cases_per_second() const;
  /// Incomplete where a planned case did not run, none was planned, none was judged, or (where the
  /// sides answer values) no value was. Else unexpected where one is unexplained or an entry stale.
  Outlook outlook_of_judged() const;
  /// Whether the judged cases are as expected, and too few of all (kCoverageFloor). The cells of
  /// rule books are compared with one another, so that they have no floor.
  bool covers_too_little() const;
  /// The outlook of the judged cases; incomplete if they cover too little. `least` takes the place
  /// of the floor: unexpected where a run that is through does not meet it.
  Outlook outlook(const std::optional<LeastJudged>& least = {}) const;
  /// A line that says that too little was judged, and what to do; "" where enough was.
  std::string too_little_words(const std::optional<LeastJudged>& least = {}) const;
  /// blame_sentence of its sides; "" of rule books, whose cells have no right side.
  std::string who_is_wrong() const;
  /// One sentence: does the subject behave as the oracle, and if not, how often not; of how many
  /// cases that is said, where not of all.
  std::string verdict_sentence() const;
  /// "12 cases", or "2 judged cases" where others were not.
  std::string judged_words() const;
  /// "; 11 of 13 were not judged, and 1 ran out of time", or "". What the subject does not claim
  /// was not judged.
  std::string open_words() const;
};

/// Folds one run: a store, or all shards of one plan. UsageError: the stores hold different plans
/// or the same shard twice.
Summary summarize(const std::vector<const RunStore*>& stores);
Summary summarize(const RunStore& store);

/// Twelve lines for a terminal, one where the subject's manifest leaves something out, and one
/// where there were witnesses, without a trailing newline.
std::string summary_text(const Summary& summary);

/// The object of `upcast run --json`: planned, ran, agree, known, unexplained, not_judged, crash,
/// timeout, expectation, by_verdict {"differ(dtype)": 3}, values_judged, seconds, cases_per_second,
/// complete, exit_code, verdict, coverage {coverage_json()}, subject, oracle, sides {side_json()},
/// source, wrong {cases by Blame}, stale_known [name], versions {upcast, and the environment's
/// entries}.
std::string summary_json(const Summary& summary, int indent = 2);

}  // namespace upcast::reports
