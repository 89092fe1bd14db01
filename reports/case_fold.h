// Folds the cases of a run, row by row: counts, failures by what they have in common, and the cases
// that the report of a large run lists.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// How many cases of an op were not judged, and the first recorded one of them.
struct NotJudgedOp {
  std::string reason, line;
  int64_t count = 0;
};

/// Counts the cases of a run: by verdict, by operand dtype, and failures by how they differ. The
/// columns may come in parts, so that memory does not grow with the run.
class CaseFold {
 public:
  using FailureKey = std::tuple<std::string, std::string, std::string, uint32_t>;

  /// `data` must have its rows and axes already.
  explicit CaseFold(RunData& data) : data_(data) {}

  /// Counts the cases of a row that the columns hold. No case may be counted twice.
  void add(OpData& op, ReportRow& row, const RunColumns& columns);
  /// Adds the counts of rows to their ops. Call it once, after all cases.
  void finish();

  std::map<FailureKey, FailureGroup> failures;
  std::map<std::string, NotJudgedOp> not_judged;

 private:
  struct RowTally;
  /// Cases of an op by verdict and known difference.
  using Met = std::map<std::pair<uint8_t, uint8_t>, int64_t>;

  /// For each axis of a row, the dtype codes of its tokens; -1 for a number, an attribute or an
  /// out= tensor.
  std::vector<std::vector<int>> codes_of(const ReportRow& row) const;
  void add_case(ReportRow& row, RowTally& tally, Met& met, int64_t index, const CaseBytes& bytes);
  void add_tally(const OpData& op, const ReportRow& row, const RowTally& tally,
                 const RunColumns& columns);
  void set_answers(OpData& op, const ReportRow& row, const std::vector<std::vector<int>>& codes,
                   const RunColumns& columns) const;

  RunData& data_;
  std::map<std::string, Met> met_;  // by op's name; empty unless the run is summed
};

}  // namespace upcast::reports
