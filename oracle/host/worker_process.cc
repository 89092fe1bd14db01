#include "oracle/host/worker_process.h"

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
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr std::size_t kTail = 4096;

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation != nullptr ? "SIG" + std::string(abbreviation)
                                 : "signal " + std::to_string(signal);
}

void keep_across_exec(int fd) { fcntl(fd, F_SETFD, 0); }

/// Everything between fork and exec; only async-signal-safe calls.
[[noreturn]] void become_worker(const char* program, int socket, int error, int setup, int journal,
                                char* const argv[], pid_t parent) {
  dup2(socket, STDIN_FILENO);
  dup2(socket, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  keep_across_exec(setup);
  keep_across_exec(journal);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it died before prctl
  execv(program, argv);
  const char* const reason = std::strerror(errno);
  for (const char* text : {"cannot start ", program, ": ", reason, "\n"}) {
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text, std::strlen(text));
  }
  _exit(127);
}

}  // namespace

std::string ExitStatus::text() const {
  return signal != 0 ? "crash(" + signal_name(signal) + ")"
                     : "crash(exit " + std::to_string(code) + ")";
}

bool ExitStatus::from_outside() const {
  constexpr std::array<int, 6> kFromOutside{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU};
  for (const int outside : kFromOutside)
    if (signal == outside) return true;
  return false;
}

WorkerProcess::WorkerProcess(const std::string& program, int setup_fd) {
  int sockets[2];
  int errors[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
      pipe2(errors, O_CLOEXEC) != 0) {
    throw UsageError("cannot start a worker: too many open files; give a smaller --jobs");
  }
  const std::string setup = std::to_string(setup_fd);
  const std::string journal = std::to_string(journal_.fd());
  const std::array<const char*, 6> arguments{program.c_str(), "--setup",       setup.c_str(),
                                             "--journal",     journal.c_str(), nullptr};
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become_worker(program.c_str(), sockets[1], errors[1], setup_fd, journal_.fd(),
                  const_cast<char* const*>(arguments.data()), parent);
  }
  close(sockets[1]);
  close(errors[1]);
  socket_ = sockets[0];
  stderr_ = errors[0];
  fcntl(stderr_, F_SETFL, O_NONBLOCK);
  if (pid_ < 0) {
    close(socket_);
    close(stderr_);
    throw UsageError("cannot start a worker: too many processes; give a smaller --jobs");
  }
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) {
    kill();
    waitpid(pid_, nullptr, 0);
  }
  close(socket_);
  if (stderr_ >= 0) close(stderr_);
}

bool WorkerProcess::receive() {
  std::array<char, std::size_t{1} << 16> piece;
  for (;;) {
    const ssize_t n = recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (n > 0) {
      frames_.append({piece.data(), static_cast<std::size_t>(n)});
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}

void WorkerProcess::receive_stderr() {
  std::array<char, kTail> piece;
  while (stderr_ >= 0) {
    const ssize_t n = read(stderr_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) {  // closed; a closed pipe would keep poll() awake
      close(stderr_);
      stderr_ = -1;
    }
    if (n <= 0) break;
    stderr_tail_.append(piece.data(), static_cast<std::size_t>(n));
    if (stderr_tail_.size() > kTail) stderr_tail_.erase(0, stderr_tail_.size() - kTail);
  }
}

void WorkerProcess::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

ExitStatus WorkerProcess::reap() {
  check(pid_ > 0, "a worker is reaped once");
  int status = 0;
  constexpr std::int64_t kPatience = 2'000'000'000;  // nanoseconds
  timespec nap{0, 20'000};
  for (std::int64_t waited = 0;; waited += nap.tv_nsec) {
    if (waited > kPatience) kill();
    const pid_t ended = waitpid(pid_, &status, waited > kPatience ? 0 : WNOHANG);
    if (ended == pid_ || (ended < 0 && errno != EINTR)) break;
    nanosleep(&nap, nullptr);
    nap.tv_nsec = std::min(2 * nap.tv_nsec, 2'000'000L);
  }
  pid_ = -1;
  receive_stderr();
  if (WIFSIGNALED(status)) return {WTERMSIG(status), 0};
  return {0, WEXITSTATUS(status)};
}

std::string WorkerProcess::last_words() {
  receive_stderr();
  std::size_t end = stderr_tail_.find_last_not_of(" \r\n\t");
  if (end == std::string::npos) return "";
  const std::size_t newline = stderr_tail_.rfind('\n', end);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return stderr_tail_.substr(begin, end + 1 - begin);
}

}  // namespace upcast
