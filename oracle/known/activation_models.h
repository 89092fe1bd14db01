// LibTorch's activations where they are wrong: the textbook formula in the compute dtype.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// The activations and their backward functions, evaluated as ATen writes them: the terms cancel,
/// 0 * inf and inf / inf give NaN, and what overflows in between stays inf. Real dtypes, and
/// complex ones for silu.
std::optional<Answer> activation_formula(const Case& c, const Answer& right);

/// native_dropout_backward of float16 and bfloat16: a mask of one element, and the scale, multiply
/// as float32, unrounded (as unrounded_second_operand).
std::optional<Answer> dropout_with_unrounded_factors(const Case& c, const Answer& right);

/// A path model (oracle/known/path_models.h) of the same formulas: contracted into FMA, with an
/// exp, erf or tanh that is off by an ulp, erf of float32 by erf_of_five_terms, and a NaN as either
/// the vector body or the scalar tail treats it.
std::optional<Answer> activation_on_a_vector_path(const Case& c, const Answer& right,
                                                  const Answer& answer);

}  // namespace upcast
