// The bytes that several tensors may share.
#pragma once

#include "impl/tensor/memory.h"

namespace upcast {

/// A block of bytes in a memory. They are uninitialised, or a copy of given bytes of the host.
class Storage {
 public:
  explicit Storage(std::size_t size, Memory& memory = host_memory());
  explicit Storage(std::span<const std::byte> bytes, Memory& memory = host_memory());
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() { memory_.free(bytes_, size_); }

  std::byte* data() const { return bytes_; }
  std::size_t size() const { return size_; }
  Memory& memory() const { return memory_; }

 private:
  Memory& memory_;
  std::size_t size_;
  std::byte* bytes_;
};

}  // namespace upcast
