#pragma once

#include <string_view>

#include "impl/core/capability.h"

namespace upcast {

/// The capability with this name. Throws UsageError if no capability has this name, or if it is
/// above `best`. The error's message starts with `where`.
Capability parse_capability(std::string_view text, Capability best, std::string_view where);

}  // namespace upcast
