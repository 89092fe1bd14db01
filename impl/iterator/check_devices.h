// Step: the device of the iteration, and whether every operand lies on it.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Sets the iteration's device: the first that is not the CPU among its operands, outputs first;
/// else the CPU. Refuses operands elsewhere, except those that the config lets stay on the CPU.
std::optional<Rejection> check_devices(Iteration& iteration);

}  // namespace upcast
