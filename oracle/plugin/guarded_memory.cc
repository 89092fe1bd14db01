#include "oracle/plugin/guarded_memory.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

namespace upcast {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kFront = kAlignment;
constexpr std::size_t kGuarded = 64;  // bytes before a block; as many as an overrun of a vector has
constexpr std::size_t kBack = 128;
constexpr std::size_t kSmall = 512;  // blocks up to it are kept
constexpr std::size_t kSpares = 64;
constexpr std::size_t kMostResting = std::size_t{64} << 20;  // bytes
constexpr std::byte kGuard{0xa5};

std::byte* new_block(std::size_t size) {
  const std::size_t whole = (kFront + size + kBack + kAlignment - 1) / kAlignment * kAlignment;
  void* block = std::aligned_alloc(kAlignment, whole);
  if (block == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(block);
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

GuardedMemory::~GuardedMemory() {
  for (const Rest& rest : resting_) std::free(rest.block);
  for (std::byte* block : spare_) std::free(block);
}

std::byte* GuardedMemory::allocate(std::size_t size) {
  std::byte* block = nullptr;
  if (size <= kSmall && !spare_.empty()) {
    block = spare_.back();
    spare_.pop_back();
  } else {
    block = new_block(std::max(size, kSmall));
  }
  std::memset(block + kFront - kGuarded, static_cast<int>(kGuard), kGuarded);
  std::memset(block + kFront + size, static_cast<int>(kGuard), kBack);
  return block + kFront;
}

void GuardedMemory::free(std::byte* bytes, std::size_t size) {
  const std::size_t held = std::max(size, kSmall);
  resting_.push_back({bytes - kFront, held});
  for (resting_bytes_ += held; resting_bytes_ > kMostResting; resting_.pop_front()) {
    const Rest& rested = resting_.front();
    resting_bytes_ -= rested.size;
    if (rested.size == kSmall && spare_.size() < kSpares)
      spare_.push_back(rested.block);
    else
      std::free(rested.block);
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
  return is_whole(bytes + size, kBack) ? Damage::kNone : Damage::kBehind;
}

}  // namespace upcast
