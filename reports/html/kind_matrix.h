// Differences by kind: which ops over which dtypes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// Cases that nothing explains, and those that known differences do.
struct KindCounts {
  std::int64_t unexplained = 0, known = 0;

  std::int64_t all() const { return unexplained + known; }
};

/// An op's cases of a kind.
struct KindRow {
  std::string op;
  KindCounts counts;
  std::map<int, KindCounts> dtypes;  // by dtype code: cases with an operand of it
  std::set<int> known;               // the entries that explain them
  std::int64_t first_case = -1;      // of those that nothing explains
};

/// The kind of a known difference is the first that its entry declares, as this run sees it: that
/// the oracle refuses makes `accepts` of it.
struct KindMatrix {
  VerdictCode verdict = VerdictCode::kDifferAccepts;
  KindCounts counts;
  std::set<int> dtypes;       // codes, in the order of the columns
  std::vector<KindRow> rows;  // the most cases first
};

/// The kinds that the run has, in the order in which a compiler's developer reads them.
std::vector<KindMatrix> kind_matrices(const RunData& data);

}  // namespace upcast::reports
