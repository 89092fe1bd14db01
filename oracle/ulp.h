// Distances between floating values. The definitions are those of docs/numerics.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "impl/core/dtype.h"

namespace upcast {

/// Steps between two finite values of a floating type of `size` bytes, by their bits: counted on
/// the ordered bit patterns, where both zeros have one place. Taken on integers: float64 cannot
/// count its own steps.
std::uint64_t step_distance(std::uint64_t a, std::uint64_t b, std::size_t size);

/// The same between two finite values of `dtype` (floating), which float64 holds.
std::uint64_t step_distance(DType dtype, double a, double b);

/// The size of one ulp of `dtype` (floating) at magnitude `value`: the distance of its neighbours
/// in that binade, and of its subnormals below the smallest normal value.
double ulp_of(DType dtype, double value);

}  // namespace upcast
