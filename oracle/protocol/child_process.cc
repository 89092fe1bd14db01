#include "oracle/protocol/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "impl/core/error.h"

namespace upcast::protocol {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTail = 4096;
constexpr int kPipeSize = 1 << 20;  // fewer changes of process a batch
constexpr std::size_t kWordsLines = 3;

/// Everything between fork and exec; only async-signal-safe calls.
[[noreturn]] void become_command(const char* shell_text, int input, int output, int errors,
                                 pid_t parent) {
  setpgid(0, 0);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  signal(SIGINT, SIG_IGN);  // the terminal's is the supervisor's to handle
  signal(SIGPIPE, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it died before prctl
  execl("/bin/sh", "sh", "-c", shell_text, nullptr);
  _exit(127);
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  /// One that we write to is a socket: a write to a process that is gone raises no signal there.
  explicit Pipe(bool is_written) {
    const int made = is_written ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data())
                                : pipe2(ends.data(), O_CLOEXEC);
    if (made != 0)
      throw UsageError("cannot start a process: too many open files; give a smaller --jobs");
  }
  int read_end() const { return ends[0]; }
  int write_end() const { return ends[1]; }
};

/// Our end of a pipe: it never blocks.
int ours(int fd) {
  fcntl(fd, F_SETFL, O_NONBLOCK);
  fcntl(fd, F_SETPIPE_SZ, kPipeSize);  // more than an unprivileged user may: it stays as it is
  return fd;
}

/// What a package added to LD_LIBRARY_PATH for its own LibTorch (tools/libtorch_home.h) is not for
/// the programs of others, which may have one of their own.
std::string callers_library_path() {
  const char* const callers = std::getenv("UPCAST_CALLERS_LIBRARY_PATH");
  if (callers == nullptr) return "";
  return *callers == '\0'
             ? "unset LD_LIBRARY_PATH; "
             : "LD_LIBRARY_PATH=$UPCAST_CALLERS_LIBRARY_PATH; export LD_LIBRARY_PATH; ";
}

void close_once(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command) {
  const Pipe input(true);
  const Pipe output(false);
  const Pipe errors(false);
  // The shell goes, so that the command itself is what is killed with its parent.
  const std::string shell_text = callers_library_path() + "exec " + command;
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0)
    become_command(shell_text.c_str(), input.read_end(), output.write_end(), errors.write_end(),
                   parent);
  close(input.read_end());
  close(output.write_end());
  close(errors.write_end());
  input_ = ours(input.write_end());
  output_ = ours(output.read_end());
  errors_ = ours(errors.read_end());
  if (pid_ < 0) {
    for (int* fd : {&input_, &output_, &errors_}) close_once(*fd);
    throw UsageError("cannot start a process: too many processes; give a smaller --jobs");
  }
  setpgid(pid_, pid_);  // whichever of the two comes first
}

ChildProcess::~ChildProcess() {
  bool lived = false;
  if (pid_ > 0) end(lived);
  for (int* fd : {&input_, &output_, &errors_}) close_once(*fd);
}

void ChildProcess::send(std::string_view line) {
  unsent_.erase(0, sent_);
  sent_ = 0;
  unsent_ += line;
  unsent_ += '\n';
  write_some();
}

void ChildProcess::write_some() {
  while (input_ >= 0 && sent_ < unsent_.size()) {
    const ssize_t n = ::send(input_, unsent_.data() + sent_, unsent_.size() - sent_, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) close_once(input_);  // it is gone, which its output will show
    if (n <= 0) return;
    sent_ += static_cast<std::size_t>(n);
  }
}

bool ChildProcess::read_output() {
  std::array<char, std::size_t{1} << 16> piece;
  while (heard_.size() <= kMaxLine) {
    const ssize_t n = read(output_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    heard_.append(piece.data(), static_cast<std::size_t>(n));
  }
  return true;
}

void ChildProcess::read_errors() {
  std::array<char, kTail> piece;
  while (errors_ >= 0) {
    const ssize_t n = read(errors_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) close_once(errors_);  // a closed pipe would keep poll() awake
    if (n <= 0) return;
    tail_.append(piece.data(), static_cast<std::size_t>(n));
    if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
  }
}

bool ChildProcess::take_line(std::string& line) {
  const std::size_t newline = heard_.find('\n', scanned_);
  scanned_ = newline == std::string::npos ? heard_.size() : 0;
  if (newline == std::string::npos) return false;
  line.assign(heard_, 0, newline);
  heard_.erase(0, newline + 1);
  return true;
}

Heard ChildProcess::hear(std::string& line, double seconds) {
  const Clock::time_point until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(seconds));
  for (bool open = true;; open = read_output()) {
    if (take_line(line)) return Heard::kLine;
    if (heard_.size() > kMaxLine) return Heard::kTooLong;
    if (!open) return Heard::kClosed;
    const double left = std::chrono::duration<double>(until - Clock::now()).count();
    if (left <= 0) return Heard::kNothing;
    const bool writes = input_ >= 0 && sent_ < unsent_.size();
    std::array<pollfd, 3> polled{
        {{output_, POLLIN, 0}, {errors_, POLLIN, 0}, {writes ? input_ : -1, POLLOUT, 0}}};
    poll(polled.data(), polled.size(), static_cast<int>(std::ceil(left * 1000)));
    if (polled[1].revents != 0) read_errors();
    if (polled[2].revents != 0) write_some();
  }
}

ExitStatus ChildProcess::end(bool& lived) {
  check(pid_ > 0, "a process ends once");
  int status = 0;
  constexpr int kPatience = 100;  // naps of 2 ms
  const timespec nap{0, 2'000'000};
  close_once(input_);
  pid_t ended = 0;
  for (int naps = 0; ended == 0 && naps < kPatience; ++naps) {
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) nanosleep(&nap, nullptr);
  }
  lived = ended == 0;
  kill(-pid_, SIGKILL);  // and whatever it has started
  if (lived) waitpid(pid_, &status, 0);
  pid_ = -1;
  read_errors();
  if (WIFSIGNALED(status)) return {WTERMSIG(status), 0};
  return {0, WEXITSTATUS(status)};
}

std::string ChildProcess::last_words() {
  read_errors();
  std::vector<std::string> lines;
  for (std::size_t end = tail_.size(); end > 0 && lines.size() < kWordsLines;) {
    const std::size_t newline = tail_.rfind('\n', end - 1);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    std::string line = tail_.substr(begin, end - begin);
    line.erase(std::find_if_not(line.rbegin(), line.rend(),
                                [](unsigned char c) { return std::isspace(c) != 0; })
                   .base(),
               line.end());
    if (!line.empty()) lines.push_back(std::move(line));
    end = newline == std::string::npos ? 0 : newline;
  }
  std::string words;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    words += (words.empty() ? "" : " | ") + *line;
  return words;
}

}  // namespace upcast::protocol
