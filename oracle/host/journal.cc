#include "oracle/host/journal.h"

#include <sys/mman.h>
#include <unistd.h>

#include "impl/core/error.h"

namespace upcast {
namespace {
constexpr std::size_t kPage = 4096;
}

Journal::Journal() : fd_(memfd_create("upcast-journal", MFD_CLOEXEC)), owns_fd_(true) {
  if (fd_ < 0 || ftruncate(fd_, kPage) != 0) {
    throw UsageError("cannot make a journal for a worker: no memory or too many open files");
  }
  map();
}

Journal::Journal(int fd) : fd_(fd) { map(); }

Journal::~Journal() {
  if (word_ != nullptr) munmap(word_, kPage);
  if (owns_fd_) close(fd_);
}

void Journal::map() {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (page == MAP_FAILED) {
    throw UsageError("upcast-worker is started by upcast run; it cannot map its journal");
  }
  word_ = static_cast<std::atomic<std::uint64_t>*>(page);
}

}  // namespace upcast
