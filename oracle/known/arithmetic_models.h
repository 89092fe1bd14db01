// LibTorch's arithmetic where it is wrong: rounded step by step, or by a shortcut.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// add, sub and rsub of float16, bfloat16 and complex32: ATen rounds alpha and alpha * other to the
/// dtype before it adds.
std::optional<Answer> alpha_in_the_dtype(const Case& c, const Answer& right);

/// addcmul of complex32: ATen multiplies and adds in complex32, rounding every result to float16.
std::optional<Answer> every_step_in_float16(const Case& c, const Answer& right);

/// floor_divide, div(floor) and huber_loss of float16 and bfloat16: ATen rounds every step to the
/// dtype.
std::optional<Answer> every_step_in_the_dtype(const Case& c, const Answer& right);

/// lerp near its end: end - (end - start) * (1 - weight) in ATen's scalar code, as documented, and
/// end + (end - start) * (weight - 1) in its vector code: zeros get other signs.
std::optional<Answer> lerp_in_the_vector_body(const Case& c, const Answer& right);

/// pow and float_power with a number as exponent: ATen takes 0.5 for sqrt and -0.5 for its
/// reciprocal, and multiplies for -2 and 3, rounding each product of bfloat16.
std::optional<Answer> power_by_shortcut(const Case& c, const Answer& right);

/// pow of float32 and bfloat16 by glibc's powf, for which 1 to a signaling NaN is NaN.
std::optional<Answer> glibc_powf(const Case& c, const Answer& right);

/// poisson_nll_loss of a float16 or bfloat16 target: an input of one element of a wider dtype
/// enters the product as float32, unrounded (as unrounded_second_operand).
std::optional<Answer> poisson_loss_of_one_input(const Case& c, const Answer& right);

/// ldexp of float16 and bfloat16: 2 ** other of one element of a wider dtype enters the product as
/// float32, unrounded (as unrounded_second_operand).
std::optional<Answer> product_with_an_unrounded_power(const Case& c, const Answer& right);

}  // namespace upcast
