// A side that is asked one case line at a time, where its cases are not known beforehand: while a
// case is minimized, in a sweep.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/answer.h"
#include "oracle/host/wire.h"
#include "oracle/subject.h"

namespace upcast {

/// The asked process's main loop: says hello, then a reply to each case line, until the socket
/// closes. A subject whose own process dies has that death for a reply.
void serve_lines(int socket, const std::string& subject, double time_limit);

/// Decodes a frame of that process's answers.
void decode_reply(std::string_view frame, Reply& reply);

/// Asks such a process. Starts it when it is first needed, and again after each death.
class AskedProcess {
 public:
  /// `name` is for messages, `setup` that of a process that serves lines, `check` throws where its
  /// hello is not what it should be. `time_limit`: seconds that a case may take.
  AskedProcess(std::string name, ChildSetup setup, double time_limit,
               std::function<void(const WorkerHello&)> check = {});

  /// Throws UsageError where the subject cannot be made; so do the others, where they start it.
  void start();
  Reply ask(const Case& c);
  /// Subject::versions of the side.
  const std::map<std::string, std::string>& versions();
  const std::map<std::string, std::string>& versions() const { return versions_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  ChildSetup setup_;
  double time_limit_;
  std::function<void(const WorkerHello&)> check_;
  std::optional<wire::FrameChild> child_;
  std::map<std::string, std::string> versions_;
};

/// "libtorch@2.11.0:cpu" in a program that is linked with another LibTorch or none: a worker of
/// that version answers. Throws UsageError where it is not there.
std::unique_ptr<Subject> make_subject_of_version(const Side& side);

/// A side whose death or silence over a case is a SideDied, never the end of this process. Throws
/// UsageError where it cannot be made.
std::unique_ptr<Subject> make_apart(const Side& side, const Watch& watch);

}  // namespace upcast
