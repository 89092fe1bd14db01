// One element of a dtype as bytes, and as a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "impl/core/complex.h"
#include "impl/core/dtype.h"

namespace upcast {

/// A number, converted to an element of a dtype.
std::vector<std::byte> element_of(DType dtype, double value);
std::vector<std::byte> element_of(DType dtype, std::int64_t value);

/// The value of an element as float64. A 64-bit integer gives the nearest float64. real_part leaves
/// the imaginary part out.
double real_part(DType dtype, const std::byte* element);
Complex<double> value_of(DType dtype, const std::byte* element);

/// Whether a dtype can hold negative numbers.
bool has_sign(DType dtype);

}  // namespace upcast
