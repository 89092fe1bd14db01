// Starts, feeds, watches, ends and reaps processes. No other code of the project does so.
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

/// A case is to blame if its process is killed from outside so often in a row over it. It may need
/// more memory than there is. Kills at random hardly ever hit one case so often.
inline constexpr int kKillsOfACase = 3;

/// How a process ended.
struct ExitStatus {
  int signal = 0;          // the signal that ended it; 0: it exited by itself
  int code = 0;            // its exit code, if it exited by itself
  bool killed = false;     // the parent killed it, because it did not end by itself
  bool timed_out = false;  // the parent killed it, because it was silent for too long

  /// The end in words: "crash(SIGFPE)", "crash(exit 3)", "timeout". There is a name for every
  /// signal of Linux.
  std::string text() const;
  bool exited_with(int wanted) const { return signal == 0 && code == wanted; }
  /// Whether the process was ended from outside: by the kernel short of memory, an operator, a
  /// shutdown. A case does not raise these signals by itself.
  bool from_outside() const;
};

/// How a child and its parent talk.
enum class Talk : std::uint8_t {
  kNone,    // not at all: standard input and output are the parent's, or files
  kSocket,  // by one socket: a program's standard input and output, or a body's argument
  kStreams  // by two streams, a program's standard input and output: for programs of others
};

/// What the terminal's SIGINT does to the child.
enum class Interrupt : std::uint8_t {
  kIgnored,   // the child ignores it; the parent decides what happens
  kOwnGroup,  // the child has a process group of its own, which is ended as a whole
  kShared     // the child gets it as the parent does
};

struct ChildSetup {
  std::vector<std::string> command{};     // a program's path and its arguments; empty: `body` runs
  std::function<int(int socket)> body{};  // runs in a fork of this process, and gives the exit code
  // Variables that are added to our environment; the value "" removes one.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::vector<int> descriptors{};  // our descriptors that the program inherits
  Talk talk = Talk::kNone;
  std::string input{}, output{};  // files for Talk::kNone; "": the parent's
  // A file for standard error; "": the parent's. Output files are appended to.
  std::string errors{};
  // Instead of a file, the parent keeps the end of standard error (last_words).
  bool keeps_errors = false;
  Interrupt interrupt = Interrupt::kIgnored;
  /// How many bytes each process of the child may hold in memory of its own, as RLIMIT_DATA counts
  /// them. 0: no limit but ours. RLIMIT_AS would also count memory that is reserved and never used.
  /// CUDA, sanitizers and thread stacks reserve more than a machine has.
  std::int64_t memory_limit = 0;
};

/// A child process. The constructor starts it; the destructor kills and reaps it. The kernel kills
/// it if the thread that started it ends. It leaves no core file. Our ends of its streams never
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

  /// Queues bytes for the child's input. They are written at once as far as possible, and the rest
  /// while wait_for_any() waits.
  void feed(std::string_view bytes);
  /// Whether the child's output may still bring bytes. False after all was read, and if the child
  /// has no output.
  bool is_open() const { return output_.is_open(); }
  /// Returns the output that has arrived since the last call.
  std::string take_output() { return std::exchange(arrived_, {}); }
  /// The last lines of the child's standard error that are not empty, at most `most`, joined by " |
  /// ". Control characters are made visible, as visible() does.
  std::string last_words(std::size_t most);

  /// Sends SIGINT to the child.
  void interrupt() const;
  void kill() const;
  /// How the child ended; nothing if it still runs.
  std::optional<ExitStatus> ended();
  /// How the child ended. Waits for that for `seconds` at most; nothing if it still runs then.
  std::optional<ExitStatus> wait_for(double seconds);
  ExitStatus wait();
  /// Closes the child's input, and kills the child if it has not ended after `patience` seconds.
  /// Output that was not read yet is lost.
  ExitStatus end(double patience);
  /// Returns how a child ended that did not send an expected message. If its output is still open,
  /// it is silent: it is killed at once, and the end is a timeout. Otherwise it has `patience`
  /// seconds to end by itself.
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
  // Number of the child's keeper (keeper.h), which ends when the child does; without one, of the
  // child.
  pid_t keeper_ = -1;
  std::optional<ExitStatus> status_;
  Descriptor input_, output_, errors_;
  std::string queued_, arrived_;
  std::string error_tail_;
};

/// Writes to children and reads from them, until one has something new or the time is over.
void wait_for_any(std::span<Child* const> children, double seconds);

}  // namespace upcast
