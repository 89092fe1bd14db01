// Cases that take a side years: nobody is asked them.
#pragma once

#include "cases/case.h"

namespace upcast::fuzz {

/// Whether a side would step through an argument, one by one, for more than some ten thousand
/// steps: degrees of polynomials, zeta and polygamma far below 0 (known difference
/// zeta-steps-to-negative-q), the dimensions of mvlgamma.
bool is_endless(const Case& c);

}  // namespace upcast::fuzz
