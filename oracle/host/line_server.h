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

/// The main loop of an asked process: says hello, then sends a reply to each case line, until the
/// socket closes. If the subject's own process dies, the reply is that death.
void serve_lines(int socket, const std::string& subject, double time_limit);

/// Decodes a frame that serve_lines() sent as a reply.
void decode_reply(std::string_view frame, Reply& reply);

/// Asks a process that runs serve_lines(). It starts the process when it is first needed, and again
/// after each death.
class AskedProcess {
 public:
  /// `name` names the process in messages. `setup` says how to start it. `check` throws if the
  /// hello of the process is wrong. `time_limit`: seconds that a case may take.
  AskedProcess(std::string name, ChildSetup setup, double time_limit,
               std::function<void(const WorkerHello&)> check = {});

  /// Starts the process. Throws UsageError if the subject cannot be made. ask() and versions()
  /// start it if necessary, and then throw in the same way.
  void start();
  Reply ask(const Case& c);
  /// The versions of the side (Subject::versions).
  const std::map<std::string, std::string>& versions();
  const std::map<std::string, std::string>& versions() const { return versions_; }
  /// The files that the answers come from (Subject::programs); none before the process has started.
  const std::vector<std::string>& programs() const { return programs_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  ChildSetup setup_;
  double time_limit_;
  std::function<void(const WorkerHello&)> check_;
  std::optional<wire::FrameChild> child_;
  std::map<std::string, std::string> versions_;
  std::vector<std::string> programs_;
};

/// The subject "libtorch@2.11.0:cpu" in a program that is linked with another LibTorch or none. A
/// worker of that version answers. Throws UsageError if there is no such worker.
std::unique_ptr<Subject> make_subject_of_version(const Side& side);

/// A side in a process of its own. If it dies or hangs on a case it throws SideDied; this process
/// goes on. Throws UsageError if the side cannot be made.
std::unique_ptr<Subject> make_apart(const Side& side, const Watch& watch);

}  // namespace upcast
