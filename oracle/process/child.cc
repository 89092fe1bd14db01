#include "oracle/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <tuple>

#include "cases/visible.h"
#include "impl/core/error.h"
#include "oracle/process/keeper.h"

namespace upcast {
namespace {

using Clock = std::chrono::steady_clock;

// How many bytes of a child's standard error are kept, its last ones.
constexpr std::size_t kTail = 4096;
constexpr std::size_t kPiece = std::size_t{1} << 16;
/// How many bytes of standard error are read at once, so that a child which writes without end
/// cannot keep us busy. A pipe holds fewer bytes, so after a process has ended, one such read gets
/// all.
constexpr std::size_t kMostErrors = std::size_t{2} << 20;
// Size of our pipes in bytes: a large pipe saves changes between processes.
constexpr int kPipeSize = 1 << 20;
constexpr double kLongestPoll = 3600;  // seconds

[[noreturn]] void cannot_start(const std::string& why) {
  throw UsageError("cannot start a process: " + why);
}

Descriptor opened(const std::string& path, int flags) {
  if (path.empty()) return Descriptor();
  Descriptor file(open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.is_open()) cannot_start(path + ": " + std::strerror(errno));
  return file;
}

/// Makes both ends of a stream: ours, which never blocks, and the child's. The stream that we write
/// to is a socket, because a write to an ended process raises no signal there.
std::pair<Descriptor, Descriptor> made_ends(bool is_socket) {
  std::array<int, 2> fds{};
  const int made = is_socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data())
                             : pipe2(fds.data(), O_CLOEXEC);
  if (made != 0) cannot_start("too many open files; give a smaller --jobs");
  fcntl(fds[0], F_SETFL, O_NONBLOCK);
  fcntl(fds[0], F_SETPIPE_SZ,
        kPipeSize);  // fails for a user who may not set this size: the usual one stays
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> made;
  for (std::string& text : texts) made.push_back(text.data());
  made.push_back(nullptr);
  return made;
}

/// The environment of a child, as "NAME=value": `changes` first, then the variables of this
/// process.
std::vector<std::string> changed_environment(
    const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> all;
  for (const auto& [name, value] : changes)
    if (!value.empty()) all.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (std::none_of(changes.begin(), changes.end(), [&](const auto& change) {
          return text.substr(0, text.find('=')) == change.first;
        }))
      all.emplace_back(text);
  }
  return all;
}

/// Blocks all signals in this thread and returns those that were blocked before. During a fork no
/// handler may run, because it would act on signals that are meant for the child.
sigset_t block_signals() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  return before;
}

/// Lowers a resource limit of this process. A limit that is lower already stays.
void lower_limit(int resource, rlim_t most) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  limit.rlim_max = std::min(limit.rlim_max, most);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// Prepares the child right after the fork. Calls only async-signal-safe functions, as a forked
/// process must.
void settle(const std::array<int, 3>& streams, const ChildSetup& setup, pid_t parent,
            const sigset_t& blocked) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // the parent died before prctl() took effect
  if (setup.interrupt == Interrupt::kOwnGroup) setpgid(0, 0);
  if (setup.interrupt == Interrupt::kIgnored) signal(SIGINT, SIG_IGN);
  lower_limit(RLIMIT_CORE, 0);
  if (setup.memory_limit > 0) lower_limit(RLIMIT_DATA, static_cast<rlim_t>(setup.memory_limit));
  for (int stream = 0; stream < 3; ++stream)
    if (streams[stream] >= 0) dup2(streams[stream], stream);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

/// Turns the forked process into the program. Calls only async-signal-safe functions.
[[noreturn]] void become(char* const argv[], char* const environment[], std::span<const int> kept) {
  for (const int fd : kept) fcntl(fd, F_SETFD, 0);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  execve(argv[0], argv, environment);
  const char* const reason = std::strerror(errno);
  for (const char* text :
       {"cannot start ", static_cast<const char*>(argv[0]), ": ", reason, "\n"}) {
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text, std::strlen(text));
  }
  _exit(127);
}

/// Runs the body of a child that is no program. An exception that the body does not catch ends the
/// child, as it would end a program.
[[noreturn]] void run_body(const std::function<int(int)>& body, int socket) noexcept {
  try {
    std::_Exit(body(socket));
  } catch (const UsageError& error) {
    std::fprintf(stderr, "upcast: %s\n", visible(error.what()).c_str());
    std::_Exit(2);
  }
}

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation != nullptr ? "SIG" + std::string(abbreviation)
                                 : "signal " + std::to_string(signal);
}

}  // namespace

std::string ExitStatus::text() const {
  if (timed_out) return "timeout";
  return signal != 0 ? "crash(" + signal_name(signal) + ")"
                     : "crash(exit " + std::to_string(code) + ")";
}

bool ExitStatus::from_outside() const {
  constexpr std::array<int, 6> kFromOutside{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU};
  return std::find(kFromOutside.begin(), kFromOutside.end(), signal) != kFromOutside.end();
}

Child::Child(const ChildSetup& setup) : is_kept_(setup.interrupt == Interrupt::kOwnGroup) {
  Descriptor input = opened(setup.input, O_RDONLY);
  Descriptor output = opened(setup.output, O_WRONLY | O_CREAT | O_APPEND);
  Descriptor errors = opened(setup.errors, O_WRONLY | O_CREAT | O_APPEND);
  if (setup.keeps_errors) std::tie(errors_, errors) = made_ends(/*is_socket=*/false);
  if (setup.talk != Talk::kNone) std::tie(input_, input) = made_ends(/*is_socket=*/true);
  if (setup.talk == Talk::kStreams) std::tie(output_, output) = made_ends(/*is_socket=*/false);
  if (setup.talk == Talk::kSocket) output_ = Descriptor(fcntl(input_.get(), F_DUPFD_CLOEXEC, 0));
  const int socket = input.get();
  std::array<int, 3> streams{socket, setup.talk == Talk::kSocket ? socket : output.get(),
                             errors.get()};
  if (setup.body && setup.talk != Talk::kNone) streams[0] = streams[1] = -1;
  std::vector<std::string> command = setup.command;
  std::vector<std::string> environment = changed_environment(setup.environment);
  const std::vector<char*> argv = pointers(command), variables = pointers(environment);
  const pid_t parent = getpid();
  // Without this flush the child would write our buffered output once more.
  if (setup.body) std::fflush(nullptr);
  Descriptor told, tell;
  if (is_kept_) std::tie(told, tell) = made_ends(/*is_socket=*/false);
  const sigset_t blocked = block_signals();
  pid_ = fork();
  if (pid_ != 0) pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  if (pid_ < 0) cannot_start("too many processes; give a smaller --jobs");
  if (pid_ == 0) {
    if (is_kept_) stay_as_keeper(parent, tell.get());
    settle(streams, setup, is_kept_ ? getppid() : parent, blocked);
    if (!setup.body) become(argv.data(), variables.data(), setup.descriptors);
    for (Descriptor* ours : {&input_, &output_, &errors_}) ours->reset();
    run_body(setup.body, socket);
  }
  keeper_ = pid_;
  if (!is_kept_) return;
  tell.reset();
  fcntl(told.get(), F_SETFL, 0);  // this read of the child's number may block
  while (read(told.get(), &pid_, sizeof pid_) < 0 && errno == EINTR) continue;
}

Child::~Child() {
  if (status_) return;
  kill();
  wait();
}

void Child::feed(std::string_view bytes) {
  queued_ += bytes;
  write_queued();
}

void Child::write_queued() {
  std::size_t sent = 0;
  while (input_.is_open() && sent < queued_.size()) {
    const ssize_t n =
        send(input_.get(), queued_.data() + sent, queued_.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN)
      input_.reset();  // the child has ended, which its output will show too
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  queued_.erase(0, sent);
}

void Child::read_output() {
  std::array<char, kPiece> piece;
  const ssize_t n = read(output_.get(), piece.data(), piece.size());
  if (n > 0) arrived_.append(piece.data(), static_cast<std::size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) output_.reset();
}

void Child::read_errors() {
  std::array<char, kPiece> piece;
  for (std::size_t taken = 0; errors_.is_open() && taken < kMostErrors;) {
    const ssize_t n = read(errors_.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    // Closes the descriptor at the end of the stream. An open one would end each poll() at once.
    if (n == 0) errors_.reset();
    if (n <= 0) return;
    taken += static_cast<std::size_t>(n);
    error_tail_.append(piece.data(), static_cast<std::size_t>(n));
    if (error_tail_.size() > kTail) error_tail_.erase(0, error_tail_.size() - kTail);
  }
}

std::array<pollfd, 3> Child::polled() const {
  return {{{output_.get(), POLLIN, 0},
           {errors_.get(), POLLIN, 0},
           {queued_.empty() ? -1 : input_.get(), POLLOUT, 0}}};
}

void Child::exchange(std::span<const pollfd, 3> polled) {
  if (polled[1].revents != 0) read_errors();
  if (polled[0].revents != 0) read_output();
  if (polled[2].revents != 0) write_queued();
}

void wait_for_any(std::span<Child* const> children, double seconds) {
  std::vector<pollfd> polled;
  for (const Child* child : children)
    for (const pollfd& one : child->polled()) polled.push_back(one);
  const int milliseconds = static_cast<int>(std::ceil(std::min(seconds, kLongestPoll) * 1000));
  // A signal may end the wait early. The caller waits again, as after any other wake.
  if (poll(polled.data(), polled.size(), milliseconds) <= 0) return;
  for (std::size_t i = 0; i < children.size(); ++i)
    children[i]->exchange(std::span<const pollfd, 3>(&polled[3 * i], 3));
}

void Child::interrupt() const {
  if (!status_) ::kill(keeper_, SIGINT);
}

void Child::kill() const {
  if (status_) return;
  ::kill(keeper_, is_kept_ ? SIGTERM : SIGKILL);
  ::kill(keeper_, SIGCONT);  // a process that the child has stopped could not handle the signal
}

void Child::reap() {
  int status = 0;
  while (waitpid(keeper_, &status, 0) < 0 && errno == EINTR) continue;
  status_ = WIFSIGNALED(status) ? ExitStatus{.signal = WTERMSIG(status)}
                                : ExitStatus{.code = WEXITSTATUS(status)};
  read_errors();
}

std::optional<ExitStatus> Child::ended() {
  siginfo_t info{};
  if (!status_ &&
      (waitid(P_PID, keeper_, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == keeper_))
    reap();
  return status_;
}

std::optional<ExitStatus> Child::wait_for(double seconds) {
  timespec nap{0, 20'000};
  for (const Clock::time_point began = Clock::now(); !ended();) {
    if (std::chrono::duration<double>(Clock::now() - began).count() >= seconds) break;
    nanosleep(&nap, nullptr);
    nap.tv_nsec = std::min(2 * nap.tv_nsec, 2'000'000L);
  }
  return status_;
}

ExitStatus Child::wait() {
  siginfo_t info{};
  while (!status_ && waitid(P_PID, keeper_, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
    continue;
  if (!status_) reap();
  return *status_;
}

ExitStatus Child::end(double patience) {
  if (input_.is_open()) shutdown(input_.get(), SHUT_WR);
  input_.reset();
  if (wait_for(patience)) return *status_;
  kill();
  wait();
  status_->killed = true;
  return *status_;
}

ExitStatus Child::end_after_silence(double patience) {
  const bool silent = is_open();
  end(silent ? 0 : patience);
  status_->timed_out = silent;
  return *status_;
}

std::string Child::last_words(std::size_t most) {
  read_errors();
  std::string words;
  for (std::size_t end = error_tail_.size(), lines = 0; end > 0 && lines < most;) {
    const std::size_t newline = error_tail_.rfind('\n', end - 1);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    std::string line = error_tail_.substr(begin, end - begin);
    line.resize(line.find_last_not_of(" \t\r\n\f\v") + 1);
    if (!line.empty()) {
      words = visible(line) + (words.empty() ? "" : " | ") + words;
      ++lines;
    }
    end = newline == std::string::npos ? 0 : newline;
  }
  return words;
}

}  // namespace upcast
