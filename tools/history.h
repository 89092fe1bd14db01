// The answers of the LibTorch versions at hand to one case.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"

namespace upcast::tools {

struct VersionReply {
  std::string version;  // "2.11.0"
  Side side{};          // libtorch@2.11.0:cpu, python:torch==2.5.1
  Reply reply{};
  bool changed = false;  // whether it differs from the version before
};

/// Whether two replies are the same: bit for bit, except for the words of a refusal.
bool same_reply(const Reply& a, const Reply& b);

/// Asks every version that has a worker here and, on the CPU, every version that has an environment
/// of Python (ci/frameworks.sh torch==VERSION), oldest first. `side`: LibTorch's, without a
/// version. A version may take `time_limit` seconds. Throws UsageError if a worker does not start.
std::vector<VersionReply> ask_versions(const Case& c, Side side, double time_limit);

}  // namespace upcast::tools
