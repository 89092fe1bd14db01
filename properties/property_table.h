// Writes the table of properties as text.
#pragma once

#include <string>

namespace upcast::properties {

/// The text of docs/properties.md: one table for each topic, then all declared exclusions.
std::string property_table();

}  // namespace upcast::properties
