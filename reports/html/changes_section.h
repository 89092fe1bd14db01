// What is new since a baseline, an earlier run: compared with the report's first run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/run_data.h"
#include "reports/run_diff.h"

namespace upcast::reports {

struct Changes {
  Summary before;
  RunDiff diff;  // of `before` and the report's first run
};

/// A sentence and the counts, for the summary.
std::string changes_summary(const Changes& changes);

/// The whole view: counts by change and by schema, the cases, and what else differs between the
/// two runs' environments. "" without a baseline.
std::string changes_section(const std::optional<Changes>& changes, const RunData& after);

}  // namespace upcast::reports
