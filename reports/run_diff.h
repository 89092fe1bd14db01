// Compares two runs: which cases were fixed, which broke, and which have another answer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/summary.h"

namespace upcast::reports {

/// The change of a case between an old run and a new one. A case fails if its verdict is
/// unexplained (is_failure). A case that is no longer judged is not fixed: a subject may have
/// dropped its op.
enum class Change {
  kSame,            // fails in neither run, and the answers are the same
  kStillFailing,    // both fail, with the same answers
  kFixed,           // the old one fails, the new one agrees or is known
  kBroken,          // the new one fails, the old one does not; or now a side dies
  kNoLongerJudged,  // the old one was judged, the new one is not
  kNewlyJudged,     // the new one is judged and does not fail, the old one was not judged
  kChanged,         // another answer of a side or another verdict, but none of the above
  kAdded,           // in the new run only
  kAddedFailing,    // in the new run only, where it fails
  kRemoved,         // in the old run only, or not run in the new one
};
inline constexpr int kChangeCount = 10;
using ChangeCounts = std::array<int64_t, kChangeCount>;

/// The name of a change: "same", "still failing", "fixed", "broken", "no longer judged", "newly
/// judged", "changed answer", "added", "added, failing", "removed".
std::string_view change_name(Change change);

/// How many changes fail a gate: broken, no longer judged, and added cases that fail.
int64_t worse_of(const ChangeCounts& counts);

/// One case in both runs. Texts are as in CaseRecord; "float32" if the store has no record.
struct DiffRow {
  Change change = Change::kSame;
  std::string line;
  std::string old_verdict, new_verdict;
  std::string old_subject, new_subject;
  std::string old_oracle, new_oracle;
  int64_t new_case = -1;  // its number in the new run; -1: it has none
};

struct RunDiff {
  ChangeCounts counts{};
  std::map<std::string, ChangeCounts> by_schema;  // schemas with any change
  std::vector<DiffRow>
      rows;  // at most `limit` of each change, except same, newly judged and added, in order
  int64_t limit = 0;
  bool complete = true;  // whether the new run is; if not, cases that did not run may be worse

  int64_t count(Change change) const { return counts[static_cast<std::size_t>(change)]; }
  int64_t worse() const { return worse_of(counts); }
  Outlook outlook() const {
    if (!complete) return Outlook::kIncomplete;
    return worse() > 0 ? Outlook::kUnexpected : Outlook::kAsExpected;
  }
};

/// Compares two runs. Cases are matched by their lines, so that grids may have changed in between.
/// Each is counted once; a line that a run holds twice is matched in order.
RunDiff diff_runs(const RunStore& before, const RunStore& after, int64_t limit);

/// The result in a line: "Nothing got worse.", "2 cases got worse. The new run is incomplete."
std::string diff_headline(const RunDiff& diff);

/// The headline, the counts, then the rows, as text for a terminal.
std::string diff_text(const RunDiff& diff);

/// {same, still_failing, fixed, broken, no_longer_judged, newly_judged, changed, added,
///  added_failing, removed, worse, complete, by_schema {SCHEMA: {...}},
///  rows [{change, line, old {verdict, subject, oracle}, new {...}}]}.
std::string diff_json(const RunDiff& diff, int indent = 2);

}  // namespace upcast::reports
