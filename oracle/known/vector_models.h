// Vector code of LibTorch that does something else than its scalar code.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// neg of complex dtypes: 0 - x in the vector body, which makes +0 of +0, and -x elsewhere.
std::optional<Answer> zero_minus_operand(const Case& c, const Answer& right, const Answer& answer);

/// sgn of complex dtypes: each part divided by the modulus, where the scalar code divides by a
/// complex number.
std::optional<Answer> part_by_part_over_modulus(const Case& c, const Answer& right,
                                                const Answer& answer);

/// acos of complex128: pi / 2 - asin(z), which cancels near 1 and gives zeros another sign.
std::optional<Answer> half_pi_minus_asin(const Case& c, const Answer& right, const Answer& answer);

/// fmod and remainder of float32, float64 and bfloat16: SLEEF's fmod multiplies by the reciprocal
/// of the divisor, and where |x| / |y| is beyond the largest float, infinity * 0 makes a NaN.
std::optional<Answer> nan_for_an_overflowing_quotient(const Case& c, const Answer& right,
                                                      const Answer& answer);

}  // namespace upcast
