// Random values for the operands of benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "impl/core/dtype.h"

namespace upcast::bench {

/// The bytes of n elements with values between `low` and `high`. Both parts of a complex element
/// have such values. They repeat after 2^18 numbers, since a benchmark fills its operands anew in
/// each round. The same seed gives the same bits, so that both sides compute with equal operands.
std::vector<std::byte> uniform(DType dtype, std::int64_t n, double low, double high,
                               std::uint64_t seed);

}  // namespace upcast::bench
