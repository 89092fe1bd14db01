// What the caches of a processor decide about how results are written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace upcast {

inline constexpr std::int64_t kCacheLine = 64;  // bytes

/// A result of at least as many bytes may be stored past the caches (streamed). A smaller one may
/// still be in a cache when it is read.
inline constexpr std::int64_t kLeastStreamed = std::int64_t{1} << 24;

inline std::int64_t bytes_into_cache_line(const void* at) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) % kCacheLine);
}

/// How many elements of `size` bytes lie between `at` and the next cache line.
inline std::int64_t elements_to_cache_line(const void* at, std::int64_t size) {
  return (kCacheLine - bytes_into_cache_line(at)) % kCacheLine / size;
}

}  // namespace upcast
