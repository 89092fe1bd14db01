// Elements in the widest exact types: int128 for integers and bool, float64 for real numbers, two
// float64 for complex ones.
#pragma once

#include <cstddef>

#include "impl/core/complex.h"
#include "impl/core/dtype.h"

namespace upcast::truth {

__extension__ using Int = __int128;
__extension__ using UInt = unsigned __int128;

inline constexpr int bits_of(DType dtype) { return 8 * itemsize(dtype); }

/// An integer modulo 2^bits of an integral dtype, in its range. For bool: whether it is not 0.
Int wrap(Int value, DType dtype);

/// Reads an element of an integral dtype or bool.
Int read_integer(DType dtype, const std::byte* element);

/// Writes an exact value as an element of any elementwise dtype. Integers wrap. Floating values are
/// rounded once, to nearest with ties to even. They are truncated to integers (out of their range
/// as the host does: host_defined.h). A real dtype drops the imaginary part. A bool is whether the
/// value is not 0.
void write_element(Int value, DType dtype, std::byte* element);
void write_element(double value, DType dtype, std::byte* element);
void write_element(Complex<double> value, DType dtype, std::byte* element);

}  // namespace upcast::truth
