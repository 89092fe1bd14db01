#include "fuzz/findings/child_side.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/line_server.h"
#include "oracle/host/worker_process.h"

namespace upcast::fuzz {
namespace {

constexpr double kStartLimit = 60;  // seconds until a subject is made

/// Answers case lines until the socket closes.
[[noreturn]] void serve(int socket, const std::string& name, double time_limit) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(STDERR_FILENO, STDOUT_FILENO);  // whatever libraries print
  serve_lines(socket, name, time_limit);
  std::_Exit(0);
}

}  // namespace

ChildSide::ChildSide(std::string subject, double time_limit)
    : subject_(std::move(subject)), time_limit_(time_limit) {}

ChildSide::~ChildSide() {
  if (child_ > 0) bury(true);
}

void ChildSide::start() {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw UsageError("cannot start " + subject_ + ": too many open files");
  child_ = fork();
  if (child_ == 0) {
    close(sockets[0]);
    serve(sockets[1], subject_, time_limit_);
  }
  close(sockets[1]);
  socket_ = sockets[0];
  frames_ = {};
  if (child_ < 0) throw UsageError("cannot start " + subject_ + ": too many processes");
  bool silent = false;
  const auto frame = wait(kStartLimit, silent);
  if (!frame) throw UsageError(subject_ + " did not start: " + bury(silent));
  WorkerHello hello = wire::decode_hello(*frame);
  if (!hello.error.empty()) {
    bury(true);
    throw UsageError(hello.error);
  }
  versions_ = std::move(hello.versions);
}

std::optional<std::string> ChildSide::wait(double seconds, bool& silent) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (auto frame = frames_.next()) return frame;
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    const int milliseconds = static_cast<int>(std::max(0.0, left) * 1000) + 1;
    if (left <= 0 || poll(&ready, 1, milliseconds) == 0) {
      silent = true;
      return std::nullopt;
    }
    std::array<char, 1 << 16> bytes;
    const ssize_t n = read(socket_, bytes.data(), bytes.size());
    if (n <= 0) return std::nullopt;
    frames_.append({bytes.data(), static_cast<std::size_t>(n)});
  }
}

std::string ChildSide::bury(bool silent) {
  if (silent) kill(child_, SIGKILL);
  int status = 0;
  waitpid(child_, &status, 0);
  close(socket_);
  child_ = -1;
  if (silent) return "timeout";
  ExitStatus end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.code = WEXITSTATUS(status);
  return end.text();
}

Reply ChildSide::ask(const Case& c) {
  if (child_ < 0) start();
  Reply reply;
  bool silent = false;
  wire::write_frame(socket_, print_case(c));  // a child that is gone shows in the wait
  if (const auto frame = wait(time_limit_, silent))
    decode_reply(*frame, reply);
  else
    reply.death = bury(silent);
  return reply;
}

const std::map<std::string, std::string>& ChildSide::versions() {
  if (child_ < 0 && versions_.empty()) start();
  return versions_;
}

}  // namespace upcast::fuzz
