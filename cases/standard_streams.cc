#include "cases/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace upcast {

void settle_standard_streams() {
  for (int opened = 0; opened >= 0 && opened <= STDERR_FILENO;) {
    opened = open("/dev/null", O_RDWR);  // open() takes the lowest free number
    if (opened > STDERR_FILENO) close(opened);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void finish_standard_output() {
  errno = 0;
  // some file systems report a failed write only when a descriptor is closed
  const bool is_written =
      std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && close(dup(STDOUT_FILENO)) == 0;
  if (!is_written)
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), "standard output");
}

void end_by_closed_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigprocmask(SIG_UNBLOCK, &pipe, nullptr);
  std::raise(SIGPIPE);
  std::abort();
}

void tell(std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stderr) == text.size();
  if (!is_written && errno == EPIPE)
    throw std::system_error(errno, std::generic_category(), "standard error");
}

}  // namespace upcast
