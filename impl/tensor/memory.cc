#include "impl/tensor/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace upcast {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;

class HostMemory : public Memory {
 public:
  std::byte* allocate(std::size_t size) override {
    const std::size_t alignment = size < 2 * kHugePage ? kCacheLine : kHugePage;
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
    void* bytes = std::aligned_alloc(alignment, rounded);
    if (bytes == nullptr) throw std::bad_alloc();
    if (alignment == kHugePage) madvise(bytes, rounded, MADV_HUGEPAGE);  // a wish: failure is fine
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
  static HostMemory memory;
  return memory;
}

}  // namespace upcast
