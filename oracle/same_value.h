// Reads elements as numbers, and compares their values.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "impl/core/dtype.h"

namespace upcast {

/// An element of any dtype as a complex number. The number is exact, except for int64 and uint64.
using ElementParts = std::array<double, 2>;
ElementParts parts_of(DType dtype, const std::byte* element);

/// Whether two numbers have the same value. All NaNs count as one value; zeros of two signs are
/// different.
inline bool same_value(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/// Whether two values are of one kind: both finite and not 0, or the same special value.
inline bool same_kind(double a, double b) {
  const bool ordinary = std::isfinite(a) && a != 0 && std::isfinite(b) && b != 0;
  return ordinary || same_value(a, b);
}

/// Whether two elements of a dtype have the same value. All NaNs count as one value; zeros of two
/// signs are different.
bool same_value(DType dtype, const std::byte* a, const std::byte* b);

}  // namespace upcast
