// Hurwitz's zeta for real arguments, with a bound of its error.
#pragma once

#include "oracle/truth/ball.h"

namespace upcast::truth {

/// Computes zeta(s, q) for s > 1 and q > 0. It adds the first terms, then Euler and Maclaurin's
/// sum, whose error is at most its first omitted term (DLMF 2.10(i), 25.11.7). Arb's own function
/// takes minutes if s or q is large.
Ball hurwitz_zeta(const Ball& s, const Ball& q);

/// Computes zeta(s, q) for an integer s and a q < 0 that is no integer. The terms with q + k < 0
/// are a difference of two sums over positive terms.
Ball hurwitz_zeta_below_0(const Ball& s, const Ball& q);

}  // namespace upcast::truth
