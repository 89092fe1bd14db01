// A side that answers in a child process: a case that kills it or hangs is a reply like any other.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>

#include "cases/case.h"
#include "oracle/host/wire.h"
#include "oracle/reply.h"

namespace upcast::fuzz {

/// One side in one child, which is forked when it is first needed, and again behind each death. The
/// parent makes no subject, so that each child chooses LibTorch's CPU capability for itself. For
/// programs without threads.
class ChildSide {
 public:
  /// `subject`: a name for make_subject, in the child. `time_limit`: seconds that a case may take.
  ChildSide(std::string subject, double time_limit);
  ~ChildSide();
  ChildSide(const ChildSide&) = delete;
  ChildSide& operator=(const ChildSide&) = delete;

  /// Throws UsageError where the subject cannot be made.
  Reply ask(const Case& c);
  /// Subject::versions of the side.
  const std::map<std::string, std::string>& versions();
  const std::string& name() const { return subject_; }

 private:
  void start();
  /// Ends the child and says how it ended.
  std::string bury(bool silent);
  /// A frame, or nothing where the child ended or (`silent`) the time is up.
  std::optional<std::string> wait(double seconds, bool& silent);

  std::string subject_;
  double time_limit_;
  pid_t child_ = -1;
  int socket_ = -1;
  wire::FrameBuffer frames_;
  std::map<std::string, std::string> versions_;
};

}  // namespace upcast::fuzz
