// Finds reasons: what differences of several ops have in common, and the searches that list them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// A reason, and the groups of failures that have it: they differ with one verdict and for one
/// reason. For values that differ, the first recorded case of a group gives the reason.
struct Reason {
  VerdictCode verdict = VerdictCode::kDifferDType;
  std::string sentence;  // the reason: "mine 1.0 answers float64, libtorch:cpu float32"
  std::string query;     // a search for exactly the cases of the reason; "": none
  int64_t count = 0;
  std::vector<const FailureGroup*> groups;  // groups with the most cases first

  std::vector<std::string_view> ops() const;
};

/// The reasons of a run: the most severe first, then those with the most cases. `data` must outlive
/// them.
std::vector<Reason> reasons_of(const RunData& data);

/// The reason why one group of cases fails, as a sentence.
std::string reason_sentence(const FailureGroup& group, const Summary& summary);

/// A search for exactly the group's cases, in all runs.
std::string group_query(const FailureGroup& group);

/// An op with unexplained cases, and their verdicts.
struct FailingOp {
  const OpData* op = nullptr;
  const FailureGroup* worst = nullptr;
  std::vector<VerdictCode> verdicts;  // the verdicts that occur, the most severe first
};

/// The ops with unexplained cases: the most severe verdict first, then the most cases. `data` must
/// outlive them.
std::vector<FailingOp> failing_ops(const RunData& data);

}  // namespace upcast::reports
