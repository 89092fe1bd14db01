// The rule books as systems. They answer promote_types, result_type and can_cast, as far as they
// have them, but no calls.
#pragma once

#include <vector>

#include "properties/system.h"

namespace upcast::properties {

/// The systems "rulebook:paddle" and so on: all that promote a pair of dtypes, so not those of the
/// thesis about unary functions.
std::vector<System> rulebook_systems();

/// The system of that name. Precondition: there is one.
System rulebook_system(std::string_view name);

}  // namespace upcast::properties
