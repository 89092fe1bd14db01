// Which of equal zeros, and what of a signalling NaN, LibTorch's selecting functions give.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// maximum, minimum, clamp by tensors: of equal zeros the vector body gives the later operand, the
/// scalar tail the earlier one.
std::optional<Answer> later_zero_in_the_vector_body(const Case& c, const Answer& right);

/// fmax, fmin as the C library has them: a signalling NaN makes a NaN, and of equal zeros float16
/// and bfloat16 give the second operand.
std::optional<Answer> selected_by_the_c_library(const Case& c, const Answer& right);

/// hypot, and abs of complex64: glibc's hypotf answers NaN where a NaN is signalling, beside an
/// infinity too.
std::optional<Answer> hypot_of_a_signalling_nan(const Case& c, const Answer& right);

/// hardshrink_backward, softshrink_backward, hardtanh_backward: the vector body keeps the gradient
/// where a comparison holds, the scalar tail where none does, so a NaN (self's or a bound's) makes
/// a 0 in the former.
std::optional<Answer> nan_masked_in_the_vector_body(const Case& c, const Answer& right);

}  // namespace upcast
