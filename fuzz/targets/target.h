// What an engine calls in a target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
}

namespace upcast::fuzz {

/// Gives an engine what it is to try next; `otherwise` where there is nothing or it has no room.
inline std::size_t store(const std::vector<std::uint8_t>& bytes, std::uint8_t* data,
                         std::size_t max_size, std::size_t otherwise) {
  if (bytes.empty() || bytes.size() > max_size) return otherwise;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace upcast::fuzz
