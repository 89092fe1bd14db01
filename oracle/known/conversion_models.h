// LibTorch's conversions to formats narrower than float32 where they are wrong.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// A result that float32 does not hold, to a narrower format: ATen goes through float32 and rounds
/// twice.
std::optional<Answer> rounded_through_float32(const Case& c, const Answer& right);

/// As above, of operands: integers of 32 bits and more, and float64, numbers among them.
std::optional<Answer> operands_through_float32(const Case& c, const Answer& right);

/// float16 to float32: the last elements of a dense operand, which make no whole vector of eight,
/// lose the sign of a NaN.
std::optional<Answer> float16_nan_without_sign_in_the_tail(const Case& c, const Answer& right);

/// To float8_e8m0fnu: all between 2^-127 and 2^-126 is 2^-126.
std::optional<Answer> e8m0_by_the_bits_of_float32(const Case& c, const Answer& right);

}  // namespace upcast
