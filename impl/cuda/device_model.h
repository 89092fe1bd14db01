// The limits of launches on a device.
#pragma once

#include <cstdint>

namespace upcast {

struct DeviceModel {
  std::uint32_t threads = 256;           // threads of a block
  std::uint32_t max_blocks = 1U << 30;   // blocks of a launch
  std::int64_t max_offset = 2147483647;  // in bytes; plans with larger offsets are split
  std::uint32_t vector_bytes = 16;       // bytes of a vector in the compiled contiguous kernels
};

}  // namespace upcast
