// The section of changes since a baseline, an earlier run. It is compared with the report's first
// run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/run_data.h"
#include "reports/run_diff.h"

namespace upcast::reports {

struct Changes {
  Summary before;
  RunDiff diff;  // between `before` and the report's first run
};

/// A sentence and the counts of changes, for the summary.
std::string changes_summary(const Changes& changes);

/// The whole view: counts by change and by schema, the cases, and other differences between the two
/// runs' environments. "" without a baseline.
std::string changes_section(const std::optional<Changes>& changes, const RunData& after);

}  // namespace upcast::reports
