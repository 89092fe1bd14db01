// Starts, feeds, watches, ends and reaps a process. No other code does so.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/process/descriptor.h"

namespace upcast {

/// How a process ended.
struct ExitStatus {
  int signal = 0;          // 0: it exited by itself
  int code = 0;            // its exit code in that case
  bool killed = false;     // by its parent, because it did not end by itself
  bool timed_out = false;  // killed because it was silent

  /// The end in words: "crash(SIGFPE)", "crash(exit 3)", "timeout". Every signal that Linux has a
  /// name.
  std::string text() const;
  bool exited_with(int wanted) const { return signal == 0 && code == wanted; }
  /// Whether someone else ended it: the kernel short of memory, an operator, a shutdown. A case
  /// does not raise these signals by itself.
  bool from_outside() const;
};

/// How a child and its parent talk.
enum class Talk : std::uint8_t {
  kNone,    // standard input and output are the parent's, or files
  kSocket,  // one socket: standard input and output of a program, the argument of a body
  kStreams  // standard input and output of a program, apart: for programs of others
};

/// What the terminal's SIGINT does to the child.
enum class Interrupt : std::uint8_t {
  kIgnored,   // it is the parent's to handle
  kOwnGroup,  // it goes to another process group; all that the child has started ends with it
  kShared     // the child gets it as the parent does
};

struct ChildSetup {
  std::vector<std::string> command{};     // a program's path and its arguments, or else
  std::function<int(int socket)> body{};  // what a fork of this process does; gives its exit code
  std::vector<std::pair<std::string, std::string>> environment{};  // added to ours; "" removes one
  std::vector<int> descriptors{};  // descriptors that a program keeps open
  Talk talk = Talk::kNone;
  std::string input{}, output{};  // files, without talk; "" for the parent's
  std::string errors{};           // a file, "" for the parent's; outputs are appended
  bool keeps_errors = false;      // the parent keeps the end of standard error instead
  Interrupt interrupt = Interrupt::kIgnored;
  /// Bytes that each of its processes may hold in memory of its own, as RLIMIT_DATA counts them. 0:
  /// no limit besides ours. RLIMIT_AS would count memory that is reserved and never used: CUDA,
  /// sanitizers and thread stacks reserve more than a machine has.
  std::int64_t memory_limit = 0;
};

/// A child process. The constructor starts it; the destructor kills and reaps it. The kernel kills
/// it when the thread that started it ends. It leaves no core file. Our ends of its streams never
/// block.
class Child {
 public:
  /// Starts a child. Throws UsageError if no process can be made or a file cannot be opened. If a
  /// program cannot be executed, the child says so on standard error and exits with 127.
  explicit Child(const ChildSetup& setup);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }

  /// Queues bytes for its input; they are written now, and while wait_for_any() waits for it.
  void feed(std::string_view bytes);
  /// Whether its output may still bring bytes. False once all was read, and if it has no output.
  bool is_open() const { return output_.is_open(); }
  /// The output that has arrived and was not taken yet.
  std::string take_output() { return std::exchange(arrived_, {}); }
  /// The last lines of its standard error that are not empty, at most `most`, joined by " | ";
  /// visible().
  std::string last_words(std::size_t most);

  /// SIGINT.
  void interrupt() const;
  void kill() const;
  /// How it ended; nothing if it runs.
  std::optional<ExitStatus> ended();
  /// As ended(), but waits so many seconds at most.
  std::optional<ExitStatus> wait_for(double seconds);
  ExitStatus wait();
  /// Closes its input, and kills it after so many seconds. Output that was not read yet is lost.
  ExitStatus end(double patience);
  /// How a child ended that did not send an expected message. If its output is open, it is killed
  /// at once, which is a timeout. Otherwise it has `patience` seconds to end by itself.
  ExitStatus end_after_silence(double patience = 2);

 private:
  friend void wait_for_any(std::span<Child* const> children, double seconds);

  /// What poll() has to watch: output, errors, input.
  std::array<pollfd, 3> polled() const;
  void exchange(std::span<const pollfd, 3> polled);
  void write_queued();
  void read_output();
  void read_errors();
  void reap();

  pid_t pid_ = -1;
  bool is_kept_ = false;
  pid_t keeper_ = -1;  // the child's keeper, which ends as it does (keeper.h), or the child
  std::optional<ExitStatus> status_;
  Descriptor input_, output_, errors_;
  std::string queued_, arrived_;
  std::string error_tail_;
};

/// Writes to children and reads from them, until one has something new or the time is over.
void wait_for_any(std::span<Child* const> children, double seconds);

}  // namespace upcast
