// Loads the known differences of a run: those that are built into the command, or another file.
#pragma once

#include <string>
#include <vector>

#include "cases/known_differences.h"

namespace upcast::tools {

struct KnownFile {
  std::string name;  // for messages
  std::string text;
  std::vector<KnownDifference> differences;
};

/// Loads a file of known differences. The path "" means cases/known_differences.toml and
/// compiler_differences.toml together, as they were at build time. Throws UsageError.
KnownFile load_known_file(const std::string& path);

/// The entries about LibTorch and about our implementation. The other entries are about frameworks,
/// and can be tested only if the framework has an environment.
std::vector<KnownDifference> without_frameworks(std::vector<KnownDifference> entries);

}  // namespace upcast::tools
