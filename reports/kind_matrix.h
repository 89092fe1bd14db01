// Matrices of differences by kind: which ops differ, over which dtypes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/verdict.h"

namespace upcast::reports {

/// Counts of cases that differ in one kind: unexplained ones, and those that known differences
/// explain.
struct KindCounts {
  std::int64_t unexplained = 0, known = 0;

  std::int64_t all() const { return unexplained + known; }
};

/// The cases of one op that differ in one kind.
struct KindRow {
  std::string op;
  KindCounts counts;
  std::map<int, KindCounts> dtypes;  // for each dtype code, the cases with an operand of that dtype
  std::set<int> known;               // ids of the known differences that explain cases of the row
  std::int64_t first_case = -1;      // number of the first unexplained case; -1: none
};

/// The ops with differences of one kind. A known difference counts for the first kind that its
/// entry declares, as this run shows that kind: the oracle's `refusal` becomes the subject's
/// `accepts`.
struct KindMatrix {
  VerdictCode verdict = VerdictCode::kDifferAccepts;
  KindCounts counts;
  std::set<int> dtypes;       // dtype codes that occur, in the order of the columns
  std::vector<KindRow> rows;  // ops with the most cases first
};

}  // namespace upcast::reports
