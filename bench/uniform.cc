#include "bench/uniform.h"

#include <algorithm>
#include <cstring>

#include "cases/values.h"
#include "impl/core/cast.h"

namespace upcast::bench {

std::vector<std::byte> uniform(DType dtype, std::int64_t n, double low, double high,
                               std::uint64_t seed) {
  constexpr std::int64_t kPeriod = std::int64_t{1} << 18;
  SplitMix64 random(seed);
  std::vector<double> values(std::min(is_complex(dtype) ? 2 * n : n, kPeriod));
  for (double& value : values)
    value = low + (high - low) * static_cast<double>(random.next() >> 11) * 0x1p-53;
  const DType real = is_complex(dtype) ? to_real(dtype) : dtype;
  std::vector<std::byte> bytes(n * itemsize(dtype));
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(values.data()), real,
                bytes.data(), static_cast<std::int64_t>(values.size()));
  // Each copy is as long as all that is there already, but for the last.
  for (std::size_t filled = values.size() * itemsize(real); filled < bytes.size(); filled *= 2)
    std::memcpy(bytes.data() + filled, bytes.data(), std::min(filled, bytes.size() - filled));
  return bytes;
}

}  // namespace upcast::bench
