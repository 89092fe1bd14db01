// The memory of the emulated device.
#pragma once

#include "impl/tensor/memory.h"

namespace upcast {

/// A memory for the emulated device. Every second block begins at a 16-byte boundary, the others 8
/// bytes after one. Each block has canaries before and after it. They are checked when the block is
/// freed, and a changed one aborts the program.
class EmulatedMemory : public Memory {
 public:
  std::byte* allocate(std::size_t size) override;
  void free(std::byte* bytes, std::size_t size) override;
  void read(const std::byte* from, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* to) override;

 private:
  bool aligned_ = false;
};

}  // namespace upcast
