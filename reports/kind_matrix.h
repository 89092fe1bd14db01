// A matrix of differences by kind: which ops over which dtypes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/verdict.h"

namespace upcast::reports {

/// How many cases are unexplained, and how many known differences explain.
struct KindCounts {
  std::int64_t unexplained = 0, known = 0;

  std::int64_t all() const { return unexplained + known; }
};

/// The cases of an op that differ in one kind.
struct KindRow {
  std::string op;
  KindCounts counts;
  std::map<int, KindCounts> dtypes;  // by dtype code: counts of cases with such an operand
  std::set<int> known;               // the entries that explain them
  std::int64_t first_case = -1;      // the first unexplained case
};

/// The ops with differences of one kind. For a known difference it is the first kind that its entry
/// declares, as this run shows it: `refusal` of the oracle becomes `accepts` of the subject.
struct KindMatrix {
  VerdictCode verdict = VerdictCode::kDifferAccepts;
  KindCounts counts;
  std::set<int> dtypes;       // codes, in the order of the columns
  std::vector<KindRow> rows;  // the most cases first
};

}  // namespace upcast::reports
