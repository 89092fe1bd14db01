// The functions of a fuzz target that an engine calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
}

namespace upcast::fuzz {

/// Copies the bytes to the engine's buffer. Returns their number. Returns `otherwise`, and copies
/// nothing, if there are no bytes or no room for them.
inline std::size_t store(const std::vector<std::uint8_t>& bytes, std::uint8_t* data,
                         std::size_t max_size, std::size_t otherwise) {
  if (bytes.empty() || bytes.size() > max_size) return otherwise;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace upcast::fuzz
