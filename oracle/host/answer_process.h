// A process that answers a plan's cases for one side, and how it is started: two configurations of
// LibTorch cannot share a process, two versions of it cannot share a program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cases/grid.h"
#include "oracle/answer.h"
#include "oracle/host/block.h"
#include "oracle/host/wire.h"
#include "oracle/side.h"

namespace upcast {

/// The path of the worker that answers for a version of LibTorch ("": that of this build). It lies
/// in this program's folder; the folder of another build may hold workers of other versions.
std::string answering_program(const std::string& version);
/// The plan that a worker's setup names: a grid, or a row for each case line. Throws UsageError for
/// any other setup.
Plan make_plan(const WorkerSetup& setup);

/// The versions of LibTorch for which this program's folder has a worker, oldest first, without
/// that of this build.
std::vector<std::string> other_versions();

/// Throws UsageError if a worker's hello is an error, or names another version than the side does.
void check_version(const Side& side, const WorkerHello& hello, const std::string& program);

/// The child process that answers the cases of a plan for one side. It makes the plan itself, and
/// starts on a block as soon as announce() names it.
class AnswerProcess {
 public:
  /// `side` may name a version; cases and grid are those of the setup. Throws UsageError where the
  /// child cannot be started, does not know the side, is of another version of LibTorch than the
  /// side names, or makes other cases of the setup than this program does.
  AnswerProcess(const Side& side, WorkerSetup setup);

  void announce(const BlockRequest& request) { child_->send(wire::encode(request)); }
  /// Waits for the answer to the next announced case. Returns false if the child has ended, or has
  /// been silent for `seconds`.
  bool next(Answer& answer, double seconds = kNoLimit);
  /// How the child ended, after next() returned false; "timeout" if it was silent.
  ExitStatus end() { return child_->end_after_silence(); }

  const std::map<std::string, std::string>& versions() const { return versions_; }
  const std::vector<std::string>& programs() const { return programs_; }

 private:
  void greet(const Side& side, const WorkerSetup& setup, const std::string& program);

  std::optional<wire::FrameChild> child_;
  std::map<std::string, std::string> versions_;
  std::vector<std::string> programs_;
};

/// The child's main loop: announced blocks in, answers out, until the socket closes.
void serve_answers(int socket, const WorkerSetup& setup);

}  // namespace upcast
