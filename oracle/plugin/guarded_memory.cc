#include "oracle/plugin/guarded_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace upcast {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kFront = kAlignment;
// Bytes of the guard before a block: as many as a vector may overrun.
constexpr std::size_t kGuarded = 64;
constexpr std::size_t kBack = 128;
constexpr std::size_t kSmallest = 512;
// Freed blocks of up to this size are used again.
constexpr std::size_t kSmall = std::size_t{64} << 10;
constexpr std::size_t kSlab = std::size_t{1} << 20;
constexpr std::size_t kMostResting = std::size_t{16} << 20;  // bytes
constexpr std::byte kGuard{0xa5};

/// The size that a block for `size` bytes gets: a power of two up to 64 KiB, else `size` itself.
std::size_t held_for(std::size_t size) {
  return size > kSmall ? size : std::bit_ceil(std::max(size, kSmallest));
}

/// The place in spare_ of the blocks that have this size.
std::size_t class_of(std::size_t held) {
  return static_cast<std::size_t>(std::countr_zero(held / kSmallest));
}

std::size_t whole_size(std::size_t held) {
  return (kFront + held + kBack + kAlignment - 1) / kAlignment * kAlignment;
}

std::byte* new_pages(std::size_t size) {
  void* const pages =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(pages);
}

constexpr auto kWhole = [] {
  std::array<std::byte, kBack> guard{};
  guard.fill(kGuard);
  return guard;
}();

bool is_whole(const std::byte* guard, std::size_t size) {
  return std::memcmp(guard, kWhole.data(), size) == 0;
}

}  // namespace

struct GuardedMemory::Block {
  Block* next;
  std::size_t held;
};

GuardedMemory::~GuardedMemory() {
  for (Block* block = first_resting_; block != nullptr;) {
    Block* const next = block->next;
    if (block->held > kSmall) munmap(block, whole_size(block->held));
    block = next;
  }
  for (std::byte* slab : slabs_) munmap(slab, kSlab);
}

GuardedMemory::Block* GuardedMemory::new_block(std::size_t held) {
  const std::size_t whole = whole_size(held);
  if (held > kSmall) return new (new_pages(whole)) Block{nullptr, held};
  if (slab_left_ < whole) {
    slab_ = new_pages(kSlab);
    slab_left_ = kSlab;
    slabs_.push_back(slab_);
  }
  slab_left_ -= whole;
  return new (std::exchange(slab_, slab_ + whole)) Block{nullptr, held};
}

std::byte* GuardedMemory::allocate(std::size_t size) {
  const std::size_t held = held_for(size);
  Block* block = nullptr;
  if (held <= kSmall && spare_[class_of(held)] != nullptr)
    block = std::exchange(spare_[class_of(held)], spare_[class_of(held)]->next);
  else
    block = new_block(held);
  std::byte* const bytes = reinterpret_cast<std::byte*>(block) + kFront;
  std::memset(bytes - kGuarded, static_cast<int>(kGuard), kGuarded);
  std::memset(bytes + size, static_cast<int>(kGuard), kBack);
  return bytes;
}

void GuardedMemory::free(std::byte* bytes, std::size_t size) {
  const std::size_t held = held_for(size);
  Block* const freed = new (bytes - kFront) Block{nullptr, held};
  (last_resting_ == nullptr ? first_resting_ : last_resting_->next) = freed;
  last_resting_ = freed;
  for (resting_bytes_ += held; resting_bytes_ > kMostResting;) {
    Block* const rested = std::exchange(first_resting_, first_resting_->next);
    if (first_resting_ == nullptr) last_resting_ = nullptr;
    resting_bytes_ -= rested->held;
    if (rested->held > kSmall) {
      munmap(rested, whole_size(rested->held));
    } else {
      rested->next = std::exchange(spare_[class_of(rested->held)], rested);
    }
  }
}

void GuardedMemory::read(const std::byte* from, std::span<std::byte> to) {
  host_memory().read(from, to);
}

void GuardedMemory::write(std::span<const std::byte> from, std::byte* to) {
  host_memory().write(from, to);
}

GuardedMemory::Damage GuardedMemory::damage_around(const std::byte* bytes, std::size_t size) {
  if (!is_whole(bytes - kGuarded, kGuarded)) return Damage::kBefore;
  return is_whole(bytes + size, kBack) ? Damage::kNone : Damage::kAfter;
}

}  // namespace upcast
