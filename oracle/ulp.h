// Distances between floating values. The definitions are those of docs/numerics.md.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "impl/core/dtype.h"

namespace upcast {

/// The number of steps between two finite values of a floating type, given as their bits in `size`
/// bytes. It counts on the ordered bit patterns, where both zeros have one place. It takes bits,
/// because float64 cannot count its own steps.
std::uint64_t step_distance(std::uint64_t a, std::uint64_t b, std::size_t size);

/// The number of steps between two finite values of a floating `dtype`, given as float64.
std::uint64_t step_distance(DType dtype, double a, double b);

/// How far the finite value `found` lies from the finite value high + low.
inline double distance_to(double found, double high, double low = 0) {
  return std::abs((found - high) - low);
}

/// The error in ulp, as it is shown everywhere: `distance` divided by one ulp of the result dtype
/// at `size`. `size` is the magnitude of the right value, for a complex one of its larger part. One
/// step of the result is 1 ulp, in whatever dtype it was computed; one step down from a power of
/// two is half an ulp. Integers and bools are measured in ones. The error of a finite distance is
/// finite.
double error_in_ulp(DType result, double distance, double size);

/// The size of one ulp of a floating `dtype` at magnitude `value`: the distance of neighbours in
/// the binade of `value`. Below the smallest normal value it is the distance of subnormals.
double ulp_of(DType dtype, double value);

}  // namespace upcast
