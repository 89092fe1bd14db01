// The CPU engine: operands are converted a tile at a time into small buffers, the op runs over the
// buffers, the result is converted out. So an op is compiled once a compute dtype, never a pair.
#pragma once

#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"

namespace upcast {

/// Runs an op over a plan. Raises the faults of its functor.
Fault run_tiles(const Op& op, const Call& call, DType common,
                const IteratorPlan<kMaxOperands>& plan);

}  // namespace upcast
