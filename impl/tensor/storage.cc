#include "impl/tensor/storage.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace upcast {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;

std::byte* allocate(std::size_t size) {
  const std::size_t alignment = size < 2 * kHugePage ? kCacheLine : kHugePage;
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
  void* bytes = std::aligned_alloc(alignment, rounded);
  if (bytes == nullptr) throw std::bad_alloc();
  if (alignment == kHugePage) madvise(bytes, rounded, MADV_HUGEPAGE);  // a wish: failure is fine
  return static_cast<std::byte*>(bytes);
}

}  // namespace

void Storage::Free::operator()(std::byte* bytes) const { std::free(bytes); }

Storage::Storage(std::size_t size) : bytes_(allocate(size)), size_(size) {}

Storage::Storage(std::span<const std::byte> bytes) : Storage(bytes.size()) {
  if (!bytes.empty()) std::memcpy(data(), bytes.data(), bytes.size());
}

}  // namespace upcast
