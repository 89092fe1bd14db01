// A plan's identity: what a worker and a run store must agree on before any case runs.
#pragma once

#include <string>

#include "cases/grid.h"

namespace upcast {

/// 32 hexadecimal digits over every row's template, axes and numbers (FNV-1a, 128 bits: against
/// mistakes, not against malice). Plans with one digest have the same cases in the same order.
std::string plan_digest(const Plan& plan);

/// A digest of the plan and of the elements of a sample of its cases. Two programs with the same
/// digest make the same inputs, whatever builds they are of.
std::string inputs_digest(const Plan& plan);

}  // namespace upcast
