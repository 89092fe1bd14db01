// Values as reproducers write them.
#pragma once

#include <string>

#include "cases/case.h"

namespace upcast::fuzz::internal {

/// "float64(0x3ff0000000000000)", its bits: a function of every prelude, C++ and Python.
std::string float64_text(double value);

/// "{2, 3}", in C++.
std::string dims_text(const Dims& dims);

/// A number in C++, of the type that holds it. `complex_format`: what its two parts make, as
/// "c10::complex<double>({}, {})".
std::string number_text(const Number& number, const char* complex_format);

}  // namespace upcast::fuzz::internal
