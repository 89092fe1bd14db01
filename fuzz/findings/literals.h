// Writes values as the literals of reproducers.
#pragma once

#include <string>

#include "cases/case.h"

namespace upcast::fuzz::internal {

/// A float64 by its bits: "float64(0x3ff0000000000000)". Every prelude, in C++ and Python, defines
/// float64().
std::string float64_text(double value);

/// Sizes as a C++ list: "{2, 3}".
std::string dims_text(const Dims& dims);

/// A number in C++, in a type that holds it. `complex_format` makes a complex number of its two
/// parts, as "c10::complex<double>({}, {})".
std::string number_text(const Number& number, const char* complex_format);

}  // namespace upcast::fuzz::internal
