// Host memory that detects writes just outside of its blocks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "impl/tensor/memory.h"

namespace upcast {

/// Each block lies between two guards, aligned to 256 bytes as DLPack asks for. It must outlive its
/// blocks. A freed block rests: it is used again only after 16 MiB of others were freed. A
/// plug-in's thread that writes into an operand after the call has returned then writes into no
/// other case's. It does not come from malloc(), so that the memory that a plug-in keeps can be
/// counted.
class GuardedMemory : public Memory {
 public:
  ~GuardedMemory() override;
  std::byte* allocate(std::size_t size) override;
  void free(std::byte* bytes, std::size_t size) override;
  void read(const std::byte* from, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* to) override;

  enum class Damage : unsigned char { kNone, kBefore, kAfter };
  /// Whether something wrote into the guards of a block since it was allocated.
  static Damage damage_around(const std::byte* bytes, std::size_t size);

 private:
  struct Block;  // stands in front of the first guard

  Block* new_block(std::size_t held);

  Block* first_resting_ = nullptr;  // resting blocks, in the order in which they were freed
  Block* last_resting_ = nullptr;
  std::size_t resting_bytes_ = 0;
  std::array<Block*, 8> spare_{};  // blocks that have rested: of 512 bytes, of 1 KiB, ... of 64 KiB
  std::byte* slab_ = nullptr;      // the rest of the memory for new blocks
  std::size_t slab_left_ = 0;
  std::vector<std::byte*> slabs_;
};

}  // namespace upcast
