// Step 10 merges dimensions that follow each other in memory without a gap.
#pragma once

#include "impl/iterator/plan.h"

namespace upcast {

/// Merges neighbouring dimensions where every operand steps through both with one stride, or where
/// one of them has size 1.
void coalesce_dimensions(IteratorPlan& plan);

}  // namespace upcast
