// LibTorch's wrong answers that come of how it computes with an attribute's number.
#pragma once

#include <optional>

#include "cases/case.h"
#include "impl/core/number.h"
#include "oracle/answer.h"

namespace upcast {

/// -alpha as c10::Scalar computes it: as int64, where 0 has no sign and what lies above the range
/// wraps; floating numbers as they are.
Number negated_as_scalar(const Number& alpha);

/// sub, subtract and rsub of dtypes without an alpha_in_the_dtype: ATen adds -alpha * other.
std::optional<Answer> alpha_negated_as_an_integer(const Case& c, const Answer& right);

/// rrelu: the slope is (lower + upper) / 2 of two zero-dim tensors of the numbers' own dtypes:
/// bools add as bools, int64 wraps, and the quotient of integers has the default dtype.
std::optional<Answer> rrelu_slope_of_tensors(const Case& c, const Answer& right);
/// rrelu: two such dtypes without a common one, or that are uint64, are refused.
std::optional<Answer> rrelu_bounds_promote(const Case& c, const Answer& right);
/// rrelu_: takes infinite bounds, which rrelu refuses.
std::optional<Answer> rrelu_in_place_of_infinite_bounds(const Case& c, const Answer& right);

/// pow of float32 with a number as exponent: ATen rounds it to float32 in the vector body, and
/// takes it as float64 in the scalar tail.
std::optional<Answer> power_of_an_unrounded_exponent(const Case& c, const Answer& right);

/// isclose of float16 and bfloat16: rtol multiplies as float32, unrounded, as the second operand of
/// any mul.
std::optional<Answer> isclose_with_an_unrounded_rtol(const Case& c, const Answer& right);

}  // namespace upcast
