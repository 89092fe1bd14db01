#include "oracle/protocol/shared_area.h"

#include <sys/mman.h>
#include <unistd.h>

#include "impl/core/error.h"

namespace upcast::protocol {

SharedArea::SharedArea() : fd_(memfd_create("upcast-tensors", MFD_CLOEXEC)) {
  void* data = MAP_FAILED;
  if (fd_ >= 0 && ftruncate(fd_, kBytes) == 0)
    data = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (data == MAP_FAILED) {
    if (fd_ >= 0) close(fd_);
    throw UsageError(
        "cannot make memory to share with a process: no memory or too many open files");
  }
  data_ = static_cast<std::byte*>(data);
}

SharedArea::~SharedArea() {
  munmap(data_, kBytes);
  close(fd_);
}

std::string SharedArea::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
}

}  // namespace upcast::protocol
