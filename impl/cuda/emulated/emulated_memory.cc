#include "impl/cuda/emulated/emulated_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr std::size_t kCanary = 64;
constexpr std::size_t kMisalignment = 8;
constexpr std::byte kAlive{0xA5};

bool is_alive(const std::byte* canary, std::size_t size) {
  return std::all_of(canary, canary + size, [](std::byte byte) { return byte == kAlive; });
}

/// The start of the system's block that contains `bytes`. Every second block that the device gives
/// out is misaligned by 8 bytes, which bit 3 of its address shows.
std::byte* block_of(std::byte* bytes) {
  const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(bytes) & kMisalignment;
  return bytes - kCanary - misalignment;
}

}  // namespace

std::byte* EmulatedMemory::allocate(std::size_t size) {
  if (size > std::size_t{1} << 46) throw std::bad_alloc();
  const std::size_t whole = (size + 2 * kCanary + kMisalignment + 63) & ~std::size_t{63};
  auto* const block = static_cast<std::byte*>(std::aligned_alloc(64, whole));
  if (block == nullptr) throw std::bad_alloc();
  aligned_ = !aligned_;
  std::byte* const bytes = block + kCanary + (aligned_ ? 0 : kMisalignment);
  std::fill(block, bytes, kAlive);
  std::fill(bytes + size, bytes + size + kCanary, kAlive);
  return bytes;
}

void EmulatedMemory::free(std::byte* bytes, std::size_t size) {
  std::byte* const block = block_of(bytes);
  check(is_alive(block, bytes - block) && is_alive(bytes + size, kCanary),
        "a kernel wrote outside the memory of a tensor");
  std::free(block);
}

void EmulatedMemory::read(const std::byte* from, std::span<std::byte> to) {
  std::copy_n(from, to.size(), to.data());
}

void EmulatedMemory::write(std::span<const std::byte> from, std::byte* to) {
  std::copy_n(from.data(), from.size(), to);
}

}  // namespace upcast
