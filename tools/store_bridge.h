// Converts a plan and its known differences to the rows of a run store.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/known_differences.h"
#include "oracle/known/known_matcher.h"
#include "reports/run_store.h"

namespace upcast::tools {

/// The rows of a plan, as a run store keeps them.
std::vector<reports::GridRow> store_rows(const Plan& plan);
/// The known differences, as a run store keeps them: each with the side that it is about. `scope`
/// has the sides and versions of the run.
std::vector<reports::KnownEntry> store_known(const std::vector<KnownDifference>& known,
                                             const KnownScope& scope);

}  // namespace upcast::tools
