#include "cases/writer_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "impl/core/error.h"

namespace upcast {

WriterLock::WriterLock(const std::string& path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) {
    throw UsageError(fmt::format("{}: {}; name a file in an existing, writable folder", path,
                                 std::strerror(errno)));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor_);
    throw UsageError(fmt::format(
        "{}: another run is writing to it; wait until it ends, or name another --out", path));
  }
}

WriterLock::~WriterLock() { close(descriptor_); }

}  // namespace upcast
