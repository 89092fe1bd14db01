// The rule books as systems. They answer promote_types, result_type and can_cast as far as they
// have rules for these, but no calls.
#pragma once

#include <vector>

#include "properties/system.h"

namespace upcast::properties {

/// The systems "rulebook:paddle" and so on, one for each rule book that promotes pairs of dtypes.
/// The thesis's books about unary functions are left out.
std::vector<System> rulebook_systems();

/// The system with this name, which must exist.
System rulebook_system(std::string_view name);

}  // namespace upcast::properties
