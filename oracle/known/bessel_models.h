// LibTorch's Bessel and Airy functions where they are wrong: its formulas, evaluated as it writes
// them.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// i0 and i1: ATen multiplies by exp(|x|) of the dtype, which overflows too early, and infinity by
/// 0; i1 of -0 is 0.
std::optional<Answer> bessel_i_by_exp(const Case& c, const Answer& right);

/// J and Y: Cephes' rational functions in the dtype, but without the leading 1 of half of their
/// denominators (wrong by up to 8e-7). Beyond 5 the phase, x - pi/4 or x - 3pi/4, is rounded to the
/// dtype: nothing is left of it from 10^7 on in float32. Infinity has none.
std::optional<Answer> bessel_without_leading_ones(const Case& c, const Answer& right);

/// Ai: as above below -2.09 (wrong by up to 2e-6). zeta + pi/4 is rounded to the dtype; NaN where
/// zeta overflows.
std::optional<Answer> airy_without_leading_ones(const Case& c, const Answer& right);

/// K: ATen takes log(x / 2). Half of the smallest number is 0, and half of any odd subnormal is
/// rounded.
std::optional<Answer> bessel_k_by_half(const Case& c, const Answer& right);

}  // namespace upcast
