// The rows of the grid `devices`: cases/grid.h makes a plan of them.
#pragma once

#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

/// Every op in every form, of four pairs of dtypes. An operand is a tensor of three elements, of
/// one in one dimension, or zero-dim, each on the subject's own device or on the CPU, or a number;
/// so is out=, which may also be empty. A subject whose own device is the CPU sees one device only.
std::vector<GridRow> devices_rows();

}  // namespace upcast::internal
