// LibTorch's vector kernels are compiled for FMA, and the compiler contracts: sums of products are
// rounded once where the scalar kernels round twice.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// add, sub and rsub with alpha, addcmul, lerp and logaddexp2, and of complex dtypes mul, div,
/// reciprocal, square and other powers, rsqrt, addcdiv, sinc, ldexp and the backward functions of
/// sigmoid, tanh, silu and native_dropout: each element by ATen's formula, contracted in one way or
/// another (oracle/known/contraction.h).
std::optional<Answer> contracted(const Case& c, const Answer& right, const Answer& answer);

}  // namespace upcast
