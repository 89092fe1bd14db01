// Reasons: what differences have in common across ops, and the searches that list them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// Differences of one verdict and one reason; of values that differ, the first recorded case of a
/// kind tells the reason.
struct Reason {
  VerdictCode verdict = VerdictCode::kDifferDType;
  std::string sentence;  // "mine 1.0 answers float64, libtorch:cpu float32"
  std::string query;     // finds exactly its cases; "" where no search can
  int64_t count = 0;
  std::vector<const FailureGroup*> groups;  // the most cases first

  std::vector<std::string_view> ops() const;
};

/// The most severe first, then the most cases. `data` outlives them.
std::vector<Reason> reasons_of(const RunData& data);

/// One group's reason alone.
std::string reason_sentence(const FailureGroup& group, const Summary& summary);

/// A search that finds exactly the group's cases, in all runs.
std::string group_query(const FailureGroup& group);

/// An op with unexplained cases.
struct FailingOp {
  const OpData* op = nullptr;
  const FailureGroup* worst = nullptr;
  std::vector<VerdictCode> verdicts;  // the most severe first
};

/// The most severe verdict first, then the most cases. `data` outlives them.
std::vector<FailingOp> failing_ops(const RunData& data);

}  // namespace upcast::reports
