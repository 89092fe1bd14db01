// The rule books as systems: they answer promote_types and result_type, and nothing else.
#pragma once

#include <vector>

#include "properties/system.h"

namespace upcast::properties {

/// "rulebook:paddle" and so on: all that promote a pair of dtypes, so not those of the thesis about
/// unary functions. result_type is asked of one or two operands, since not
/// every book says how more of them promote.
std::vector<System> rulebook_systems();

}  // namespace upcast::properties
