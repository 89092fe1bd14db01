// Memory that processes share.
#pragma once

#include <cstddef>
#include <string>

#include "oracle/process/descriptor.h"

namespace upcast {

/// Memory that is an anonymous file, mapped as a whole. Parts that were never written take no
/// memory.
class SharedMemory {
 public:
  /// New memory, filled with zeros. Throws UsageError.
  explicit SharedMemory(std::size_t size);
  /// The memory of another process, by its descriptor. Throws UsageError if `fd` is no such memory.
  SharedMemory(int fd, std::size_t size);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int fd() const { return fd_.get(); }
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  Descriptor fd_;
  std::size_t size_;
  std::byte* data_;
};

/// An anonymous file that holds bytes; processes that share it share its position too. Throws
/// UsageError.
Descriptor memory_file(const std::string& bytes);

}  // namespace upcast
