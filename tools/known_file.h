// The known differences of a run: the file that is built into the command, or another one.
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

/// `path` "" takes cases/known_differences.toml as it was at build time. Throws UsageError.
KnownFile load_known_file(const std::string& path);

}  // namespace upcast::tools
