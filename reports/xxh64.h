#pragma once

#define XXH_INLINE_ALL  // compiles xxHash's functions into this file, so that nothing is linked
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace upcast::reports {

/// Computes XXH64 with seed 0 of bytes that are fed in pieces, by xxHash's own code. Some GB/s on
/// one core. It detects damage, not forgery: anyone can make bytes with a wanted hash.
class Xxh64 {
 public:
  Xxh64() { XXH64_reset(&state_, 0); }

  void update(std::string_view bytes) { XXH64_update(&state_, bytes.data(), bytes.size()); }
  /// Feeds the eight bytes of a number, the lowest byte first (the machine's order).
  void update(int64_t number) { XXH64_update(&state_, &number, sizeof number); }
  /// The hash of all bytes that were fed so far.
  uint64_t digest() const { return XXH64_digest(&state_); }

 private:
  XXH64_state_t state_;
};

}  // namespace upcast::reports
