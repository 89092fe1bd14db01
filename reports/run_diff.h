// Compares two runs: which cases were fixed, which broke, and which got another answer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/summary.h"

namespace upcast::reports {

/// What became of a case between an old run and a new one. A case fails if its verdict is
/// unexplained (is_failure). A case that is no longer judged is not fixed: a subject may have
/// dropped its op.
enum class Change {
  kSame,            // fails in neither run, with the same answers
  kStillFailing,    // fails in both runs, with the same answers
  kFixed,           // failed in the old run; agrees or is known in the new one
  kBroken,          // fails in the new run only; or a side dies in the new run only
  kNoLongerJudged,  // was judged in the old run, is not in the new one
  kNewlyJudged,     // was not judged in the old run; is judged in the new one, and does not fail
  kChanged,         // another answer or verdict, and none of the other changes
  kAdded,           // a case in the new run only, which does not fail
  kAddedFailing,    // a case in the new run only, which fails
  kRemoved,         // a case in the old run only, or not run in the new one
};
inline constexpr int kChangeCount = 10;
using ChangeCounts = std::array<int64_t, kChangeCount>;

/// The name of a change for people: "same", "still failing", "fixed", "broken", "no longer judged",
/// "newly judged", "changed answer", "added", "added, failing", "removed".
std::string_view change_name(Change change);

/// How many changes fail a gate: broken, no longer judged, and added cases that fail.
int64_t worse_of(const ChangeCounts& counts);

/// A case with its verdicts and answers in both runs. The answers are as in CaseRecord, or only
/// "float32" if the store has no record of the case.
struct DiffRow {
  Change change = Change::kSame;
  std::string line;
  std::string old_verdict, new_verdict;
  std::string old_subject, new_subject;
  std::string old_oracle, new_oracle;
  int64_t new_case = -1;  // the case's number in the new run; -1: the case is not in it
};

struct RunDiff {
  ChangeCounts counts{};
  std::map<std::string, ChangeCounts> by_schema;  // counts for each schema that has a change
  std::vector<DiffRow>
      rows;  // at most `limit` rows of each change, none of same, newly judged and added
  int64_t limit = 0;
  bool complete = true;  // whether the new run is; else cases that did not run may be worse

  int64_t count(Change change) const { return counts[static_cast<std::size_t>(change)]; }
  int64_t worse() const { return worse_of(counts); }
  Outlook outlook() const {
    if (!complete) return Outlook::kIncomplete;
    return worse() > 0 ? Outlook::kUnexpected : Outlook::kAsExpected;
  }
};

/// Compares two runs. Cases are matched by their lines, so that the grids may have changed in
/// between. Each case is counted once. Equal lines within a run are matched in order.
RunDiff diff_runs(const RunStore& before, const RunStore& after, int64_t limit);

/// The result of a comparison in a line: "Nothing got worse.", "2 cases got worse. The new run is
/// incomplete."
std::string diff_headline(const RunDiff& diff);

/// A comparison as text for a terminal: the headline, the counts, then the rows.
std::string diff_text(const RunDiff& diff);

/// A comparison as JSON: {same, still_failing, fixed, broken, no_longer_judged, newly_judged,
/// changed, added, added_failing, removed, worse, complete, by_schema {SCHEMA: {...}}, rows
/// [{change, line, old {verdict, subject, oracle}, new {...}}]}.
std::string diff_json(const RunDiff& diff, int indent = 2);

}  // namespace upcast::reports
