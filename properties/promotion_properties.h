// What promotion is: of two dtypes, of operands with priorities, of outputs.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

std::span<const Property> promotion_properties();

}  // namespace upcast::properties
