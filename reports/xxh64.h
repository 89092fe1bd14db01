#pragma once

#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace upcast::reports {

/// XXH64 with seed 0 of bytes fed in pieces, by xxHash's own code. Some GB/s on one core.
/// It tells damage: anyone can make bytes of a wanted digest.
class Xxh64 {
 public:
  Xxh64() { XXH64_reset(&state_, 0); }

  void update(std::string_view bytes) { XXH64_update(&state_, bytes.data(), bytes.size()); }
  /// Adds the eight bytes of a number in the machine's order: the lowest first.
  void update(int64_t number) { XXH64_update(&state_, &number, sizeof number); }
  /// The hash of everything fed until now.
  uint64_t digest() const { return XXH64_digest(&state_); }

 private:
  XXH64_state_t state_;
};

}  // namespace upcast::reports
