// Names of sides as a user writes them.
#pragma once

#include <string>

namespace upcast::tools {

/// "plugin:FILE" with an absolute path, for processes that may run elsewhere; any other name is
/// itself. Throws UsageError where there is no such file.
std::string resolve_side(const std::string& side);

}  // namespace upcast::tools
