// Elements as numbers, and whether two of them have the same value.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "impl/core/dtype.h"

namespace upcast {

/// An element as a complex number; exact for every dtype but int64 and uint64.
using ElementParts = std::array<double, 2>;
ElementParts parts_of(DType dtype, const std::byte* element);

/// All NaNs are one value, zeros keep their sign.
inline bool same_value(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/// Of one dtype: all NaNs are one value, zeros keep their sign.
bool same_value(DType dtype, const std::byte* a, const std::byte* b);

}  // namespace upcast
