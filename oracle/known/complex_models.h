// LibTorch's functions of complex numbers where they are wrong: its formulas in its own precision.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// The op's formula as ATen writes it, in complex64 for complex64 and complex32, in complex128 for
/// complex128: products are rounded before a function magnifies them, and what overflows in
/// between stays infinite or becomes NaN. Nothing for an op that is not one of: sgn, exp2, sinc,
/// rsqrt, log1p, log2, expm1, sigmoid, silu, silu_backward, pow, float_power, logaddexp, ldexp.
std::optional<Answer> complex_formula(const Case& c, const Answer& right);

}  // namespace upcast
