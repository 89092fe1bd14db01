// A process that a subject talks to in lines: its standard input and output, its last words.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "oracle/host/worker_process.h"

namespace upcast::protocol {

/// What became of a wait for a line.
enum class Heard : std::uint8_t {
  kLine,
  kNothing,  // within the time given
  kClosed,   // the end of its standard output
  kTooLong   // a line longer than kMaxLine
};

inline constexpr std::size_t kMaxLine = std::size_t{64} << 20;

/// Started by the constructor in a process group of its own, killed by the destructor. A child
/// whose parent dies is killed by the kernel.
class ChildProcess {
 public:
  /// `command` is one command of the shell: "python3 backend.py --fast". Throws UsageError where no
  /// process can be made; a command that cannot be found is a process that ends with code 127.
  explicit ChildProcess(const std::string& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Queues a line, which must hold no newline; it is written while hear() waits.
  void send(std::string_view line);
  /// The next line of its standard output, without the newline, after `seconds` at most.
  Heard hear(std::string& line, double seconds);
  /// Kills what still runs and waits for its end. `lived`: it had not ended by itself, within a
  /// fifth of a second.
  ExitStatus end(bool& lived);
  /// The last three lines of its standard error, joined by " | "; "" where there are none.
  std::string last_words();

 private:
  bool take_line(std::string& line);
  void write_some();
  /// False at the end of its standard output.
  bool read_output();
  void read_errors();

  pid_t pid_ = -1;
  int input_ = -1;   // what it reads: a socket
  int output_ = -1;  // what it writes
  int errors_ = -1;
  std::string unsent_;
  std::size_t sent_ = 0;
  std::string heard_;
  std::size_t scanned_ = 0;  // of heard_, without a newline
  std::string tail_;         // of its standard error
};

}  // namespace upcast::protocol
