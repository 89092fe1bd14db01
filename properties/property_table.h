// The table as text.
#pragma once

#include <string>

namespace upcast::properties {

/// A Markdown table a topic: name, claim, who is asked, the control. docs/properties.md holds it.
std::string property_table();

}  // namespace upcast::properties
