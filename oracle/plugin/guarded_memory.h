// Host memory that notices what is written around it.
#pragma once

#include <vector>

#include "impl/tensor/memory.h"

namespace upcast {

/// Each block lies between two guards, aligned to 256 bytes as DLPack asks for. Outlives its
/// blocks.
class GuardedMemory : public Memory {
 public:
  ~GuardedMemory() override;
  std::byte* allocate(std::size_t size) override;
  void free(std::byte* bytes, std::size_t size) override;
  void read(const std::byte* from, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* to) override;

  enum class Damage : unsigned char { kNone, kBefore, kBehind };
  /// Whether something wrote into the guards of a block since it was allocated.
  static Damage damage_around(const std::byte* bytes, std::size_t size);

 private:
  std::vector<std::byte*> spare_;  // small blocks, for the next case
};

}  // namespace upcast
