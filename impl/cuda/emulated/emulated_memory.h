// The memory of the emulated device.
#pragma once

#include <cstdint>

#include "impl/tensor/memory.h"

namespace upcast {

/// Blocks begin on a 16-byte boundary or 8 bytes beside it, in a random order that is the same each
/// time: operands of one call lie alike, and differently, in every way. Canaries before and behind
/// are looked at when a block is freed, and a dead one ends the program.
class EmulatedMemory : public Memory {
 public:
  std::byte* allocate(std::size_t size) override;
  void free(std::byte* bytes, std::size_t size) override;
  void read(const std::byte* from, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* to) override;

 private:
  std::uint64_t random_ = 1;
};

}  // namespace upcast
