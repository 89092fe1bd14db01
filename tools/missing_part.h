// Builds parts that the build of this program left out.
#pragma once

#include <string>

#include "oracle/side.h"

namespace upcast::tools {

/// Makes `target` in the build folder with this program's bin/, by ci/provide.sh of its source
/// tree, which says so in one line. Returns false if the program is not in a build folder, as when
/// it is installed. Throws UsageError if the build fails.
bool build_missing(const std::string& target);

/// Makes the module of a side (impl:cuda, impl:emulated) if it is missing. Does nothing for another
/// side.
void build_missing_module(const Side& side);

}  // namespace upcast::tools
