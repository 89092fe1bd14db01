// Memory that processes share.
#pragma once

#include <cstddef>
#include <string>

#include "oracle/process/descriptor.h"

namespace upcast {

/// Shared memory: an anonymous file that is mapped as a whole. Parts that were never written take
/// no memory.
class SharedMemory {
 public:
  /// Makes new memory, filled with zeros. Throws UsageError if that fails.
  explicit SharedMemory(std::size_t size);
  /// Maps the memory that another process made, by its descriptor. Throws UsageError if `fd` is no
  /// memory of this size.
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

/// Makes an anonymous file with these bytes. Processes that inherit the descriptor share the
/// position in the file. Throws UsageError.
Descriptor memory_file(const std::string& bytes);

}  // namespace upcast
