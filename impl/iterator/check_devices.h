// This step decides the device of the iteration, and checks that every operand lies on that device.
#pragma once

#include <optional>

#include "impl/core/rejection.h"
#include "impl/iterator/operand.h"

namespace upcast {

/// Sets the iteration's device: the device of the first operand that is not on the CPU, outputs
/// first, else the CPU. Refuses operands on other devices, except those that the config lets stay
/// on the CPU.
std::optional<Rejection> check_devices(Iteration& iteration);

}  // namespace upcast
