// Values as reproducers write them.
#pragma once

#include <string>

#include "cases/case.h"

namespace upcast::fuzz::internal {

/// A float64 by its bits: "float64(0x3ff0000000000000)". Every prelude, in C++ and Python, has that
/// function.
std::string float64_text(double value);

/// Sizes in C++: "{2, 3}".
std::string dims_text(const Dims& dims);

/// A number in C++, of the type that holds it. `complex_format`: what its two parts make, as
/// "c10::complex<double>({}, {})".
std::string number_text(const Number& number, const char* complex_format);

}  // namespace upcast::fuzz::internal
