// Writes the table of properties as text.
#pragma once

#include <string>

namespace upcast::properties {

/// The text of docs/properties.md: a table for each topic, then the declared exclusions.
std::string property_table();

}  // namespace upcast::properties
