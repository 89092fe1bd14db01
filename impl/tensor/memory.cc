#include "impl/tensor/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "impl/core/cache.h"

namespace upcast {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr auto kAlignment = static_cast<std::size_t>(kCacheLine);

/// Asks for huge pages within the block. The block itself is not aligned to huge pages. An aligned
/// block would not fit where the previous result lay, so it would get new pages each time.
void advise_huge_pages(void* bytes, std::size_t size) {
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(bytes);
  const std::uintptr_t first = (begin + kHugePage - 1) & ~(kHugePage - 1);
  const std::uintptr_t last = (begin + size) & ~(kHugePage - 1);
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // may fail: a hint
}

class HostMemory : public Memory {
 public:
  std::byte* allocate(std::size_t size) override {
    const std::size_t rounded =
        (std::max<std::size_t>(size, 1) + kAlignment - 1) & ~(kAlignment - 1);
    void* bytes = std::aligned_alloc(kAlignment, rounded);
    if (bytes == nullptr) throw std::bad_alloc();
    if (size >= 2 * kHugePage) advise_huge_pages(bytes, rounded);
    return static_cast<std::byte*>(bytes);
  }
  void free(std::byte* bytes, std::size_t) override { std::free(bytes); }
  void read(const std::byte* from, std::span<std::byte> to) override {
    if (!to.empty()) std::memcpy(to.data(), from, to.size());
  }
  void write(std::span<const std::byte> from, std::byte* to) override {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
  }
};

}  // namespace

Memory& host_memory() {
  static HostMemory& memory = *new HostMemory;  // never destroyed: static tensors may outlive it
  return memory;
}

}  // namespace upcast
