// A process that answers a plan's cases for one side, and how it is started: two configurations of
// LibTorch cannot share a process, two versions of it cannot share a program.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/answer.h"
#include "oracle/host/block.h"
#include "oracle/host/wire.h"
#include "oracle/host/worker_process.h"
#include "oracle/side.h"

namespace upcast {

/// The program that answers for a version of LibTorch ("": that of this build): a worker in the
/// folder of this program. Another build's programs have other versions beside them.
std::string answering_program(const std::string& version);
/// The versions that have such a program here, oldest first, besides that of this build.
std::vector<std::string> other_versions();

/// Starts a worker with a socket as standard input and output. -1 where there can be no process.
pid_t start_worker(const std::string& program, int socket,
                   const std::vector<std::string>& arguments);
ExitStatus wait_for_worker(pid_t child);
/// Throws UsageError where a worker's hello is an error, or of another version than the side names.
void check_version(const Side& side, const WorkerHello& hello, const std::string& program);

/// The child of one side of a plan. It makes the plan itself, and starts on a block as soon as it
/// is named.
class AnswerProcess {
 public:
  /// `side` may name a version; cases and grid are those of the setup. Throws UsageError where the
  /// child cannot be started, does not know the side, is of another version of LibTorch than the
  /// side names, or makes other cases of the setup than this program does.
  AnswerProcess(const Side& side, WorkerSetup setup);
  ~AnswerProcess();
  AnswerProcess(const AnswerProcess&) = delete;
  AnswerProcess& operator=(const AnswerProcess&) = delete;

  /// False where the child is gone.
  bool announce(const BlockRequest& request);
  /// The answer to the next case that was announced. False where the child is gone.
  bool next(Answer& answer);
  /// Whether something can be read within that time: an answer, or the child's end.
  bool wait(double seconds) const;
  /// Waits for its end; `kill` brings it about.
  ExitStatus end(bool kill);

  const std::map<std::string, std::string>& versions() const { return versions_; }

 private:
  void greet(const Side& side, const WorkerSetup& setup, const std::string& program);

  pid_t child_ = -1;
  int socket_ = -1;
  wire::FrameReader frames_;
  std::map<std::string, std::string> versions_;
};

/// The child's main loop: announced blocks in, answers out, until the socket closes.
void serve_answers(int socket, const WorkerSetup& setup);

}  // namespace upcast
