// What the build that this program lies in has left out, and can still make.
#pragma once

#include <string>

namespace upcast::tools {

/// Makes `target` in the build folder that this program's bin/ belongs to, by ci/provide.sh of its
/// source tree, which says so in one line. False where the program does not lie in a build folder,
/// as when it is installed. Throws UsageError where the build fails.
bool build_missing(const std::string& target);

/// Makes the module of a side that needs one ("impl:cuda", "impl:emulated?device=cuda") and lacks
/// it. Does nothing for any other text.
void build_missing_module(const std::string& side);

}  // namespace upcast::tools
