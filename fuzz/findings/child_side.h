// A side that answers in a child process: a case that kills it or hangs is a reply like any other.
#pragma once

#include <string>

#include "oracle/host/line_server.h"

namespace upcast::fuzz {

/// One side in a fork of this process, which makes no subject, so that each child chooses
/// LibTorch's CPU capability for itself. For programs without threads.
class ChildSide : public AskedProcess {
 public:
  /// `subject`: a name for make_subject, in the child. `time_limit`: seconds that a case may take.
  ChildSide(const std::string& subject, double time_limit);
};

}  // namespace upcast::fuzz
