// Asks all LibTorch versions at hand about one case, for `upcast history`.
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
  bool changed = false;  // whether the reply differs from that of the version before
};

/// Whether two replies are equal, bit for bit. Refusals are equal whatever their words are.
bool same_reply(const Reply& a, const Reply& b);

/// Asks several versions of LibTorch about a case, and returns their replies, oldest version first.
/// The versions are those with a worker next to this program and, on the CPU, those with an
/// environment of Python (ci/frameworks.sh torch==VERSION). `side`: a side of LibTorch without a
/// version. Each version may take `time_limit` seconds. Throws UsageError if a worker does not
/// start.
std::vector<VersionReply> ask_versions(const Case& c, Side side, double time_limit);

}  // namespace upcast::tools
