// From what the workers say to what the run store keeps.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/known_differences.h"
#include "oracle/host/block.h"
#include "oracle/known/known_matcher.h"
#include "reports/run_store.h"

namespace upcast::tools {

/// The rows of a plan as the store spells them.
std::vector<reports::GridRow> store_rows(const Plan& plan);
/// With the side that each entry is about in a run of that scope.
std::vector<reports::KnownEntry> store_known(const std::vector<KnownDifference>& known,
                                             const KnownScope& scope);

/// A block as the store takes it: agreeing cases have no record, a missing line is the plan's.
reports::BlockResult store_block(const BlockResult& block, const reports::RunStore& store);

}  // namespace upcast::tools
