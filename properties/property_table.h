// The table as text.
#pragma once

#include <string>

namespace upcast::properties {

/// docs/properties.md: a table a topic, then what is declared.
std::string property_table();

}  // namespace upcast::properties
