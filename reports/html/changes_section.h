// The section of changes since a baseline: an earlier run, with which the report's first run is
// compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/run_data.h"
#include "reports/run_diff.h"

namespace upcast::reports {

struct Changes {
  Summary before;
  RunDiff diff;  // from the earlier run to the report's first run
};

/// The changes in a sentence, with counts, for the summary.
std::string changes_summary(const Changes& changes);

/// The view of changes: counts by change and by schema, the changed cases, and what else differs
/// between the environments of the two runs. "" without a baseline.
std::string changes_section(const std::optional<Changes>& changes, const RunData& after);

}  // namespace upcast::reports
