// The plan that a worker's setup names.
#pragma once

#include "cases/grid.h"
#include "oracle/host/block.h"

namespace upcast {

/// A grid by its name, or a row a case line. Throws UsageError for what is neither.
Plan make_plan(const WorkerSetup& setup);

}  // namespace upcast
