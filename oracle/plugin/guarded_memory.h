// Memory on the host that detects writes just before and just after each of its blocks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "impl/tensor/memory.h"

namespace upcast {

/// Gives blocks aligned to 256 bytes, as DLPack asks for, each between two guards. The object must
/// outlive its blocks.
///
/// A freed block is used again only after 16 MiB of other blocks were freed. So if a plug-in's
/// thread writes into an operand after the call has returned, it does not write into another case's
/// operand. The blocks do not come from malloc(), so that the memory that a plug-in keeps can be
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
  struct Block;  // the head of a block, which lies before the block's first guard

  Block* new_block(std::size_t held);

  Block* first_resting_ = nullptr;  // freed blocks that may not be used yet, the oldest first
  Block* last_resting_ = nullptr;
  std::size_t resting_bytes_ = 0;
  std::array<Block*, 8> spare_{};  // blocks to use again, by size: 512 bytes, 1 KiB, ... 64 KiB
  std::byte* slab_ = nullptr;      // where new blocks are cut from; slab_left_ bytes are left
  std::size_t slab_left_ = 0;
  std::vector<std::byte*> slabs_;
};

}  // namespace upcast
