#include "oracle/process/keeper.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

namespace upcast {
namespace {

enum class Killed : unsigned char { kAll, kNotListed, kNotAllowed };

/// Kills the children of this process. Returns kNotListed if the kernel does not list them,
/// kNotAllowed if one of them belongs to another user.
Killed kill_children() {
  const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return Killed::kNotListed;
  std::array<char, 4096> text;
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  Killed killed = Killed::kAll;
  pid_t pid = 0;
  for (ssize_t i = 0; i < size; ++i) {
    if (text[i] != ' ')
      pid = 10 * pid + (text[i] - '0');
    else if (kill(std::exchange(pid, 0), SIGKILL) != 0 && errno == EPERM)
      // A number at the end of the buffer may be cut off; it has no space, and is not used.
      killed = Killed::kNotAllowed;
  }
  return killed;
}

/// Waits until a child has ended, for a second at most. Returns whether one has.
bool reap_within_a_second() {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  const timespec second{1, 0};
  if (waitpid(-1, nullptr, WNOHANG) > 0) return true;
  return sigtimedwait(&ended, nullptr, &second) > 0 && waitpid(-1, nullptr, WNOHANG) > 0;
}

/// Kills and reaps all processes below this one. When one dies, the processes that it started
/// become children of this process.
void end_descendants(pid_t group) {
  for (bool are_more = true; are_more;) {
    const Killed killed = kill_children();
    if (killed == Killed::kNotListed) kill(-group, SIGKILL);
    if (killed == Killed::kNotListed) return;
    are_more = killed == Killed::kNotAllowed ? reap_within_a_second()
                                             : waitpid(-1, nullptr, 0) > 0 || errno == EINTR;
  }
}

[[noreturn]] void end_by(int signal_number) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  signal(signal_number, SIG_DFL);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, signal_number);
  raise(signal_number);
  sigprocmask(SIG_UNBLOCK, &unblocked, nullptr);
  _exit(128 + signal_number);
}

[[noreturn]] void keep(pid_t child) {
  sigset_t signals;
  sigfillset(&signals);
  for (;;) {
    int received = 0;
    if (sigwait(&signals, &received) != 0) continue;
    if (received == SIGINT) kill(child, SIGINT);
    if (received == SIGTERM) {
      end_descendants(child);
      end_by(SIGKILL);
    }
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != child) continue;
      end_descendants(child);
      if (WIFSIGNALED(status)) end_by(WTERMSIG(status));
      _exit(WEXITSTATUS(status));
    }
  }
}

}  // namespace

void stay_as_keeper(pid_t parent, int tell) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(0);  // the parent died before prctl() took effect
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setpgid(0, 0);
  signal(SIGCHLD, SIG_DFL);
  const pid_t child = fork();
  if (child < 0) _exit(127);
  if (child == 0) {
    close(tell);
    return;
  }
  if (write(tell, &child, sizeof child) != sizeof child) _exit(127);
  close_range(0, ~0U, 0);
  keep(child);
}

}  // namespace upcast
