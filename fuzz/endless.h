// Cases that take a side years: nobody is asked them.
#pragma once

#include "cases/case.h"

namespace upcast::fuzz {

/// Whether a side would step through an argument, one by one, beyond the bounds of the op's row
/// (LoopBound): degrees of polynomials, zeta and polygamma far below 0 (known difference
/// zeta-steps-to-negative-q), the dimensions of mvlgamma.
bool is_endless(const Case& c);

}  // namespace upcast::fuzz
