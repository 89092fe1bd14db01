// One worker as its supervisor sees it: a child process, a socket, a journal, its last words.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "oracle/host/journal.h"
#include "oracle/host/wire.h"

namespace upcast {

/// How a process ended.
struct ExitStatus {
  int signal = 0;  // 0: it exited by itself
  int code = 0;    // its exit code then

  /// "crash(SIGFPE)", "crash(exit 3)"; a name for every signal that Linux has.
  std::string text() const;
  /// Ended by someone else: the kernel short of memory, an operator, a shutdown. A case does not
  /// raise these signals by itself.
  bool from_outside() const;
};

/// Starts on construction; killed and reaped on destruction. A child whose supervisor dies is
/// killed by the kernel (PR_SET_PDEATHSIG); it leaves no core file and ignores the terminal's
/// SIGINT, which is the supervisor's to handle.
class WorkerProcess {
 public:
  /// Throws UsageError where no process can be made. A program that cannot be executed shows as a
  /// worker that ends with code 127 and says why.
  WorkerProcess(const std::string& program, int setup_fd);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int socket() const { return socket_; }
  int stderr_fd() const { return stderr_; }  // -1 once it is closed
  const Journal& journal() const { return journal_; }

  /// False where the worker is gone; it is then read to its end and reaped.
  bool send(std::string_view body) { return wire::write_frame(socket_, body); }
  /// Takes what has arrived. False at the end of the stream: the worker is going or gone.
  bool receive();
  /// A whole frame that has arrived, or nothing.
  std::optional<std::string> next_frame() { return frames_.next(); }
  /// Keeps the end of what it prints on standard error.
  void receive_stderr();

  void kill();
  /// Waits for the end, after receive() was false or kill(). One that closed its socket and lives
  /// on is killed after two seconds.
  ExitStatus reap();
  /// The last line of its standard error, "" where there is none.
  std::string last_words();

 private:
  Journal journal_;
  wire::FrameBuffer frames_;
  std::string stderr_tail_;
  pid_t pid_ = -1;
  int socket_ = -1;
  int stderr_ = -1;
};

}  // namespace upcast
