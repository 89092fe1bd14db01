// One element of a dtype as bytes, and as a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "impl/core/complex.h"
#include "impl/core/dtype.h"

namespace upcast {

/// The element that a number is converted to.
std::vector<std::byte> element_of(DType dtype, double value);
std::vector<std::byte> element_of(DType dtype, std::int64_t value);

/// The number that an element is. For an integer of 64 bits it is the nearest float64.
double real_part(DType dtype, const std::byte* element);
Complex<double> value_of(DType dtype, const std::byte* element);

/// Whether a dtype has negative numbers.
bool has_sign(DType dtype);

}  // namespace upcast
