// Sums up a run store: how many cases it has, with which verdicts, and what follows for the run.
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

/// Counts of cases: of one run, of one shard of it, or of all its shards together.
///
/// ran = agree + known + not_judged + unexplained. crash, timeout, expectation are the unexplained
/// cases with that verdict. side_died counts every case in which a side crashed or timed out, even
/// if a known difference explains it.
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

  /// How many cases were judged: their verdict is about two answers.
  int64_t judged() const { return ran - not_judged - timeout; }
  /// The most severe verdict that a counted case has (reports/verdict_look.h).
  VerdictCode worst() const;
  void add(VerdictCode verdict, AnswerByte subject, AnswerByte oracle);
  void add(const Counts& other);
};

/// The outlook of a run. The values are the command's exit codes (docs/guide.md).
enum class Outlook { kAsExpected = 0, kUnexpected = 1, kIncomplete = 3 };

struct Summary {
  Counts counts;
  Coverage coverage;
  BlameCounts blame;                                // how many of all cases have each kind of blame
  std::array<int64_t, kAloneNames.size()> alone{};  // records with witnesses, by who stands alone
  bool complete = false;             // whether every planned case ran, and finish() was called
  int shards = 1, shards_given = 1;  // how many shards the run has, and how many were given
  bool judges_values = true;
  double seconds = 0;
  std::string subject, oracle, source, upcast_version, plan_digest;
  std::string date;  // day on which the run's first shard began; "" in stores of old versions
  std::map<std::string, std::string> environment;
  std::vector<KnownEntry> known;
  /// Known differences that select cases of this run but explain none, because none differs any
  /// more. Empty unless `tells_stale`. Each of them fails the run until its entry is deleted.
  std::vector<KnownEntry> stale;

  /// Whether stale entries can be found: the run is complete with all its shards. Otherwise a
  /// missing part may have a case that the entry explains.
  bool tells_stale() const { return complete && shards_given == shards; }

  /// The known difference with this id; null for 0.
  const KnownEntry* entry(int id) const {
    return id == 0 ? nullptr : &known.at(static_cast<size_t>(id) - 1);
  }
  /// How many known differences explain a case of the run.
  int64_t occurring() const;
  /// How many records contain answers of witnesses.
  int64_t witnessed() const;
  /// The name of the subject in reports (reports/side_name.h); oracle_name() likewise.
  std::string subject_name() const { return side_name(subject, environment, "subject.name"); }
  std::string oracle_name() const { return side_name(oracle, environment, "oracle.name"); }
  CalledSides sides() const { return {subject, oracle, subject_name(), oracle_name()}; }
  /// The title of the run, "impl:cpu against libtorch:cpu", with the sides' names in reports.
  std::string title() const { return subject_name() + " against " + oracle_name(); }
  double cases_per_second() const;
  /// The outlook, by the judged cases. Incomplete if a planned case did not run, none was planned,
  /// none was judged, or (if the sides answer values) no value was judged. Otherwise unexpected if
  /// a case is unexplained or an entry stale.
  Outlook outlook_of_judged() const;
  /// Whether the judged cases are as expected, but are too few (kCoverageFloor). The cells of rule
  /// books are compared with each other, so a run of rule books has no such floor.
  bool covers_too_little() const;
  /// The outlook that also depends on coverage. Incomplete if too few cases were judged. `least`
  /// replaces the floor: a complete run that does not reach it is unexpected.
  Outlook outlook(const std::optional<LeastJudged>& least = {}) const;
  /// A line that says that too few cases were judged, and what to do. "" if enough were.
  std::string too_little_words(const std::optional<LeastJudged>& least = {}) const;
  /// Who is wrong in the run's differences, as a sentence (blame_sentence). "" for rule books,
  /// whose cells have no right side.
  std::string who_is_wrong() const;
  /// One sentence about the run: whether the subject behaves as the oracle, and if not, in how many
  /// cases it does not. It says how many cases it is about, unless it is about all.
  std::string verdict_sentence() const;
  /// The judged cases in words: "12 cases", or "2 judged cases" if others were not judged.
  std::string judged_words() const;
  /// The cases without a verdict in words: "; 11 of 13 were not judged, and 1 ran out of time". ""
  /// if there are none. Cases that the subject does not claim count as not judged.
  std::string open_words() const;
};

/// Folds one run: a store, or all shards of one plan. Throws UsageError if the stores hold
/// different plans, or the same shard twice.
Summary summarize(const std::vector<const RunStore*>& stores);
Summary summarize(const RunStore& store);

/// The summary for a terminal in twelve lines, without a final newline. There is one line more if
/// the subject's manifest leaves something out, and one more if there were witnesses.
std::string summary_text(const Summary& summary);

/// The summary as the JSON object of `upcast run --json`: planned, ran, agree, known, unexplained,
/// not_judged, crash, timeout, expectation, by_verdict {"differ(dtype)": 3}, values_judged,
/// seconds, cases_per_second, complete, exit_code, verdict, coverage {coverage_json()}, subject,
/// oracle, sides {side_json()}, source, wrong {cases by Blame}, stale_known [name], versions
/// {upcast, and the environment's entries}.
std::string summary_json(const Summary& summary, int indent = 2);

}  // namespace upcast::reports
