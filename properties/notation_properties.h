// Texts and codecs: what is written is read again, and what is not a case is refused in one line.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

std::span<const Property> notation_properties();

}  // namespace upcast::properties
