// Distances between floating values. The definitions are those of docs/numerics.md.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "impl/core/dtype.h"

namespace upcast {

/// Steps between two finite values of a floating type of `size` bytes, from their bits. They are
/// counted on the ordered bit patterns, where both zeros have one place. Bits are used because
/// float64 cannot count its own steps.
std::uint64_t step_distance(std::uint64_t a, std::uint64_t b, std::size_t size);

/// As above, for two finite values of `dtype` (floating), given as float64.
std::uint64_t step_distance(DType dtype, double a, double b);

/// How far a finite value lies from the finite value high + low.
inline double distance_to(double found, double high, double low = 0) {
  return std::abs((found - high) - low);
}

/// The error in ulp, wherever one is shown. It is a distance divided by one ulp of the dtype of the
/// result, at `size`, the magnitude of the right value (for a complex one, of its larger part). One
/// step of the result is 1 ulp, in whatever dtype it was computed; one from a power of two down is
/// a half. Integers and bools are measured in ones. Finite for a finite distance.
double error_in_ulp(DType result, double distance, double size);

/// The size of one ulp of `dtype` (floating) at magnitude `value`: the distance of its neighbours
/// in that binade, and of its subnormals below the smallest normal value.
double ulp_of(DType dtype, double value);

}  // namespace upcast
