// LibTorch's special functions where they are wrong: its formulas, evaluated as it writes them.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// i0 and i1: ATen multiplies by exp(|x|) of the dtype, which overflows too early, and infinity by
/// 0; i1 of -0 is 0.
std::optional<Answer> bessel_i_by_exp(const Case& c, const Answer& right);

/// J and Y beyond 5: ATen rounds the phase, x - pi/4 or x - 3pi/4, to the dtype: nothing is left of
/// it from 10^7 on in float32. Infinity has none.
std::optional<Answer> bessel_phase_in_the_dtype(const Case& c, const Answer& right);

/// Ai: ATen rounds zeta + pi/4 to the dtype, as above; NaN where zeta overflows.
std::optional<Answer> airy_phase_in_the_dtype(const Case& c, const Answer& right);

/// polygamma: ATen has a short formula for n = 1, and otherwise multiplies exp(lgamma(n + 1)) by
/// zeta(n + 1, x), both rounded to the dtype: inf * 0 where the product is finite. zeta(n, inf) is
/// NaN.
std::optional<Answer> polygamma_in_factors(const Case& c, const Answer& right);

/// K: ATen takes log(x / 2), and half of the smallest number is 0.
std::optional<Answer> bessel_k_by_half(const Case& c, const Answer& right);

/// special_zeta: ATen answers for s = 1 without a look at q, and gets 0 * inf where q or s is
/// infinite or w^s overflows.
std::optional<Answer> zeta_after_cephes(const Case& c, const Answer& right);

/// igamma and igammac: ATen decides by comparisons, which a NaN passes, and subtracts lgamma(a)
/// from a log(x), both of which overflow.
std::optional<Answer> igamma_by_comparisons(const Case& c, const Answer& right);

/// mvlgamma: ATen rounds x + (1 - j) / 2 to the dtype, and meets poles that x is near to.
std::optional<Answer> mvlgamma_step_by_step(const Case& c, const Answer& right);

}  // namespace upcast
