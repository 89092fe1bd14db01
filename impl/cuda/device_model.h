// The limits of launches on a device.
#pragma once

#include <cstdint>

namespace upcast {

struct DeviceModel {
  std::uint32_t threads = 256;           // of a block
  std::uint32_t max_blocks = 1U << 30;   // of a launch
  std::int64_t max_offset = 2147483647;  // bytes; larger plans are split
  std::uint32_t vector_bytes = 16;       // width of a vector in the contiguous kernels, as compiled
};

}  // namespace upcast
