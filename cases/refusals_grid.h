// The rows of the grid `refusals`: cases/refusals/*.cases, which travel inside the program.
#pragma once

#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

/// A row a line, file by file: each rule of refusal alone, and beside it a case that just passes.
std::vector<GridRow> refusals_rows();

}  // namespace upcast::internal
