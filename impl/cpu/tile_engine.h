// The CPU engine: operands are converted a tile at a time into buffers that fit the L1 cache, the
// op runs over the buffers, the result is converted out. So an op is compiled once a compute dtype,
// never a pair. An operand that lies densely in the compute dtype is used where it is.
#pragma once

#include "impl/cpu/cpu_settings.h"
#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"

namespace upcast {

/// Runs an op over a plan. Raises the faults of its functor.
Fault run_tiles(const Op& op, const Call& call, DType common, const IteratorPlan& plan,
                const CpuSettings& settings);

}  // namespace upcast
