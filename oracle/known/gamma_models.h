// LibTorch's gamma, zeta and incomplete gamma functions where they are wrong: its formulas,
// evaluated as it writes them.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// digamma below 0: pi / tan(pi r), r the fractional part of x, of which nothing is left near -1.
std::optional<Answer> digamma_reflected(const Case& c, const Answer& right);

/// polygamma: ATen has a short formula for n = 1, and otherwise multiplies exp(lgamma(n + 1)) by
/// zeta(n + 1, x), both rounded to the dtype: inf * 0 where the product is finite. zeta(n, inf) is
/// NaN.
std::optional<Answer> polygamma_in_factors(const Case& c, const Answer& right);

/// special_zeta: ATen answers for s = 1 without a look at q, and gets 0 * inf where q or s is
/// infinite or w^s overflows.
std::optional<Answer> zeta_after_cephes(const Case& c, const Answer& right);

/// igamma and igammac, see incomplete_gamma_model.h.
std::optional<Answer> igamma_after_cephes(const Case& c, const Answer& right);

/// mvlgamma: ATen rounds x + (1 - j) / 2 to the dtype, and meets poles that x is near to, and then
/// each logarithm and the sum.
std::optional<Answer> mvlgamma_step_by_step(const Case& c, const Answer& right);

}  // namespace upcast
