// Two runs side by side: what was mended, what broke, and what answers otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// What became of a case between an old run and a new one. A case fails where its verdict is
/// unexplained (is_failure).
enum class Change {
  kSame,          // neither fails, and the answers are the same
  kStillFailing,  // both fail, with the same answers
  kFixed,         // the old one fails, the new one does not
  kBroken,        // the new one fails, the old one does not
  kChanged,       // another answer of a side or another verdict, but neither fixed nor broken
  kAdded,         // in the new run only
  kAddedFailing,  // in the new run only, where it fails
  kRemoved,       // in the old run only, or not run in the new one
};
inline constexpr int kChangeCount = 8;

/// "same", "still failing", "fixed", "broken", "changed answer", "added", "added, failing",
/// "removed".
std::string_view change_name(Change change);

/// One case on both sides; texts as in RecordRow, "float32" where the store has no record.
struct DiffRow {
  Change change = Change::kSame;
  std::string line;
  std::string old_verdict, new_verdict;
  std::string old_subject, new_subject;
  std::string old_oracle, new_oracle;
  int64_t new_case = -1;  // its number in the new run; -1: not there
};

struct RunDiff {
  std::array<int64_t, kChangeCount> counts{};
  std::map<std::string, std::array<int64_t, kChangeCount>> by_schema;  // those with any change
  std::vector<DiffRow> rows;  // of each change but same and added at most `limit`, in order
  int64_t limit = 0;

  int64_t count(Change change) const { return counts[static_cast<std::size_t>(change)]; }
  /// Cases that fail now and did not, new ones included.
  int64_t worse() const { return count(Change::kBroken) + count(Change::kAddedFailing); }
};

/// Cases are matched by their lines, so that grids may have changed in between. Each is counted
/// once; a line that a run holds twice is matched in order.
RunDiff diff_runs(const RunStore& before, const RunStore& after, int64_t limit);

/// The counts, then the rows, as text for a terminal.
std::string diff_text(const RunDiff& diff);

/// {same, still_failing, fixed, broken, changed, added, added_failing, removed, worse,
///  by_schema {SCHEMA: {...}}, rows [{change, line, old {verdict, subject, oracle}, new {...}}]}.
std::string diff_json(const RunDiff& diff, int indent = 2);

}  // namespace upcast::reports
