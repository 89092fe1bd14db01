// A side that answers in a child process. If a case ends or hangs that process, this is a reply
// like any other.
#pragma once

#include <string>

#include "oracle/host/line_server.h"

namespace upcast::fuzz {

/// One side in a fork of this process. The parent makes no subject, so that each child can choose
/// LibTorch's CPU capability for itself. Only for programs without threads.
class ChildSide : public AskedProcess {
 public:
  /// `subject`: a name for make_subject, which the child calls. `time_limit`: the seconds that a
  /// case may take.
  ChildSide(const std::string& subject, double time_limit);
};

}  // namespace upcast::fuzz
