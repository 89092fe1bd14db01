#include "impl/tensor/storage.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace upcast {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;

/// For the huge pages that lie within. An allocation that is aligned to them would not fit where the
/// last result lay, and would be given new pages each time.
void advise_huge_pages(void* bytes, std::size_t size) {
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(bytes);
  const std::uintptr_t first = (begin + kHugePage - 1) & ~(kHugePage - 1);
  const std::uintptr_t last = (begin + size) & ~(kHugePage - 1);
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a wish: may fail
}

std::byte* allocate(std::size_t size) {
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + kCacheLine - 1) & ~(kCacheLine - 1);
  void* bytes = std::aligned_alloc(kCacheLine, rounded);
  if (bytes == nullptr) throw std::bad_alloc();
  if (size >= 2 * kHugePage) advise_huge_pages(bytes, rounded);
  return static_cast<std::byte*>(bytes);
}

}  // namespace

void Storage::Free::operator()(std::byte* bytes) const { std::free(bytes); }

Storage::Storage(std::size_t size) : bytes_(allocate(size)), size_(size) {}

Storage::Storage(std::span<const std::byte> bytes) : Storage(bytes.size()) {
  if (!bytes.empty()) std::memcpy(data(), bytes.data(), bytes.size());
}

}  // namespace upcast
