// What promotion is: of two dtypes, of operands with priorities, of calls with outputs.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

/// promote_types and can_cast.
std::span<const Property> promote_types_properties();
/// result_type, default dtypes, wrapped numbers.
std::span<const Property> result_type_properties();
/// The dtypes that calls answer with, in every form.
std::span<const Property> call_dtype_properties();

}  // namespace upcast::properties
