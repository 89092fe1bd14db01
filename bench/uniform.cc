#include "bench/uniform.h"

#include "cases/values.h"
#include "impl/core/cast.h"

namespace upcast::bench {

std::vector<std::byte> uniform(DType dtype, std::int64_t n, double low, double high,
                               std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<double> values(is_complex(dtype) ? 2 * n : n);
  for (double& value : values)
    value = low + (high - low) * static_cast<double>(random.next() >> 11) * 0x1p-53;
  std::vector<std::byte> bytes(n * itemsize(dtype));
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(values.data()),
                is_complex(dtype) ? to_real(dtype) : dtype, bytes.data(),
                static_cast<std::int64_t>(values.size()));
  return bytes;
}

}  // namespace upcast::bench
