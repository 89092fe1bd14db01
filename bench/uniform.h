// Operands of benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "impl/core/dtype.h"

namespace upcast::bench {

/// n elements with values between `low` and `high`, the same bits for every side. Both parts of a
/// complex element have such a value.
std::vector<std::byte> uniform(DType dtype, std::int64_t n, double low, double high,
                               std::uint64_t seed);

}  // namespace upcast::bench
