// Builds programs and modules that the build of this program left out, when a user asks for them.
#pragma once

#include <string>

#include "oracle/side.h"

namespace upcast::tools {

/// Builds `target` in the build folder whose bin/ has this program. Prints a line about it, and
/// runs ci/provide.sh of the source tree. Returns false if the program is not in a build folder,
/// but installed. Throws UsageError if the build fails.
bool build_missing(const std::string& target);

/// Builds the module of kernels for impl:cuda or impl:emulated if it is missing. Does nothing for
/// other sides.
void build_missing_module(const Side& side);

}  // namespace upcast::tools
