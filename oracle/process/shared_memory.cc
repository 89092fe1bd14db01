#include "oracle/process/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "impl/core/error.h"

namespace upcast {
namespace {

/// Throws UsageError with the reason in errno. One reason is a limit on the size of files, because
/// the kernel treats shared memory as a file.
[[noreturn]] void cannot_share(const std::string& what) {
  const int why = errno;
  throw UsageError(what + ": " + std::strerror(why) +
                   (why == EFBIG ? "; raise the limit of a file's size (ulimit -f)" : ""));
}

Descriptor anonymous_file() {
  Descriptor file(memfd_create("upcast", MFD_CLOEXEC));
  if (!file.is_open())
    throw UsageError("cannot make memory to share with a process: too many open files");
  return file;
}

std::byte* mapped(int fd, std::size_t size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) throw UsageError("cannot map the memory that a process shares");
  return static_cast<std::byte*>(data);
}

}  // namespace

SharedMemory::SharedMemory(std::size_t size) : fd_(anonymous_file()), size_(size) {
  if (ftruncate(fd_.get(), static_cast<off_t>(size)) != 0)
    cannot_share("cannot make memory to share with a process");
  data_ = mapped(fd_.get(), size);
}

SharedMemory::SharedMemory(int fd, std::size_t size)
    : fd_(fcntl(fd, F_DUPFD_CLOEXEC, 0)), size_(size), data_(mapped(fd_.get(), size)) {}

SharedMemory::~SharedMemory() { munmap(data_, size_); }

Descriptor memory_file(const std::string& bytes) {
  Descriptor file = anonymous_file();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(file.get(), bytes.data() + done, bytes.size() - done);
    if (n <= 0) cannot_share("cannot hand the cases to a worker");
    done += static_cast<std::size_t>(n);
  }
  return file;
}

}  // namespace upcast
