// `upcast list cells TABLE [GLOB]`: what a library answered when it was probed, as a .cases file.
#pragma once

#include <string>

namespace upcast::tools {

/// Prints the case lines on standard output, and what is no case on standard error. Throws
/// UsageError for a table that is none.
void list_cells(const std::string& table, const std::string& glob);

}  // namespace upcast::tools
