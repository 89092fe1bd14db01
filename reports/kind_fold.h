// Folds the cases of a run into a matrix of ops over dtypes for each kind of difference.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// Counts the cases of a run for its kind matrices. The columns may come in parts.
class KindFold {
 public:
  /// `data` must have its rows and axes already, and outlive the fold.
  explicit KindFold(const RunData& data);

  /// Counts the cases of a row that the columns hold. No case may be counted twice.
  void add(const OpData& op, const ReportRow& row, const RunColumns& columns);
  /// One matrix for each kind of difference in the run. The kinds are in the order that suits a
  /// compiler's developer. Call it once, after all cases.
  std::vector<KindMatrix> matrices();

 private:
  KindRow& row_of(VerdictCode verdict, const OpData& op);
  void add_known(const OpData& op, const ReportRow& row, std::int64_t place, int id);
  void add_case(KindRow& found, const ReportRow& row, std::int64_t place,
                std::int64_t KindCounts::*count, std::int64_t index) const;

  const RunData& data_;
  std::vector<std::vector<std::set<int>>> axes_;  // dtypes by axis and token
  std::map<VerdictCode, std::map<std::string, KindRow>> rows_;
};

}  // namespace upcast::reports
