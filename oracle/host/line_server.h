// Asks a side one case line at a time, when its cases are not known beforehand: while a case is
// minimized, or in a sweep.
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

/// Reads a frame of that process's answers.
void decode_reply(std::string_view frame, Reply& reply);

/// Asks such a process. It starts the process when it is first needed, and again after each death.
class AskedProcess {
 public:
  /// `name` is for messages. `setup` starts a process that serves lines. `check` throws if its
  /// hello is wrong. `time_limit`: seconds that a case may take.
  AskedProcess(std::string name, ChildSetup setup, double time_limit,
               std::function<void(const WorkerHello&)> check = {});

  /// Starts the process. Throws UsageError if the subject cannot be made. The other functions start
  /// it too, and then throw likewise.
  void start();
  Reply ask(const Case& c);
  /// The versions of the side (Subject::versions).
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

/// The subject "libtorch@2.11.0:cpu" in a program that is linked with another LibTorch or none. A
/// worker of that version answers. Throws UsageError if there is no such worker.
std::unique_ptr<Subject> make_subject_of_version(const Side& side);

/// A side in a process of its own. If it dies or hangs on a case it throws SideDied; this process
/// goes on. Throws UsageError if the side cannot be made.
std::unique_ptr<Subject> make_apart(const Side& side, const Watch& watch);

}  // namespace upcast
