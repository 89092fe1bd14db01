// The memory of the emulated device.
#pragma once

#include "impl/tensor/memory.h"

namespace upcast {

/// Blocks begin 8 bytes beside a 16-byte boundary, every other one on it; canaries before and
/// behind are looked at when a block is freed, and a dead one ends the program.
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
