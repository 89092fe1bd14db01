// Parts that the build of this program left out, and can still make.
#pragma once

#include <string>

#include "oracle/side.h"

namespace upcast::tools {

/// Makes `target` in the build folder that this program's bin/ belongs to, by ci/provide.sh of its
/// source tree, which says so in one line. False where the program does not lie in a build folder,
/// as when it is installed. Throws UsageError where the build fails.
bool build_missing(const std::string& target);

/// Makes the module that a side is in (impl:cuda, impl:emulated) where it is missing. Does nothing
/// for any other side.
void build_missing_module(const Side& side);

}  // namespace upcast::tools
