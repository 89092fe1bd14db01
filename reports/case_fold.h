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

/// How many cases of an op were not judged, and the first of them that has a record.
struct NotJudgedOp {
  std::string reason, line;
  int64_t count = 0;
};

/// Counts every case of a row: by verdict, by operand dtype, failures by what they have in common.
class CaseFold {
 public:
  using FailureKey = std::tuple<std::string, std::string, std::string, uint32_t>;

  /// `data` has its rows and axes.
  explicit CaseFold(RunData& data) : data_(data) {}

  /// Counts those cases of the row that the columns hold. Each case is to be counted once.
  void add(OpData& op, ReportRow& row, const RunColumns& columns);
  /// Sums up rows in their ops. Call it once, after all cases.
  void finish();

  std::map<FailureKey, FailureGroup> failures;
  std::map<std::string, NotJudgedOp> not_judged;

 private:
  struct RowTally;
  /// Cases of an op by verdict and known difference.
  using Met = std::map<std::pair<uint8_t, uint8_t>, int64_t>;

  /// By axis, the codes of its tokens' dtypes; -1 for a number, an attribute or an out= tensor.
  std::vector<std::vector<int>> codes_of(const ReportRow& row) const;
  void add_case(ReportRow& row, RowTally& tally, Met& met, int64_t index, const CaseBytes& bytes);
  void add_tally(const OpData& op, const ReportRow& row, const RowTally& tally,
                 const RunColumns& columns);
  void set_answers(OpData& op, const ReportRow& row, const std::vector<std::vector<int>>& codes,
                   const RunColumns& columns) const;

  RunData& data_;
  std::map<std::string, Met> met_;  // by op; only where the run is summed
};

}  // namespace upcast::reports
