// Models of what Inductor's lowerings compute (torch/_inductor/lowering.py, codegen/cpp.py).
#include <cmath>
#include <cstring>
#include <limits>

#include "impl/ops/number_cast.h"
#include "oracle/known/computation.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_maps.h"

namespace upcast::models {
namespace {

/// Inductor's floor division takes the floor of a rounded quotient. Eager subtracts fmod from the
/// dividend first.
std::optional<Operand> floor_of_quotient(const Case& c, Computation& of) {
  if (!is_floating(of.compute)) return std::nullopt;
  if (c.schema().find("rounding_mode") >= 0 && argument(c, "rounding_mode").text != "floor")
    return std::nullopt;
  const Operand quotient = of.chain("div.Tensor", {of.operand("self"), of.operand("other")});
  return of.chain("floor", {quotient});
}

std::optional<Answer> floor_of_a_rounded_quotient(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of || !floor_of_quotient(c, *of)) return std::nullopt;
  return of->answer();
}

std::optional<Answer> remainder_of_a_rounded_quotient(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of) return std::nullopt;
  const std::optional<Operand> quotient = floor_of_quotient(c, *of);
  if (!quotient) return std::nullopt;
  of->chain.minus(of->operand("self"), of->chain.times(*quotient, of->operand("other")));
  return of->answer();
}

/// atanh: Inductor computes log((1 + x) / (1 - x)) / 2 and rounds each step.
std::optional<Answer> atanh_by_a_quotient(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of || !is_floating(of->compute)) return std::nullopt;
  Chain& call = of->chain;
  const Operand self = of->operand("self");
  const Operand quotient = call("div.Tensor", {call.plus(self, number(1.0)), call.one_less(self)});
  call.times(call("log", {quotient}), number(0.5));
  return of->answer();
}

/// acosh: SLEEF squares its argument, so the answer is infinite if the square overflows in double.
std::optional<Answer> acosh_of_an_overflowing_square(const Case& c, const Answer& right) {
  if (right.dtype != DType::kFloat64) return std::nullopt;
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    return x > 1 && std::isinf(x * x) ? std::numeric_limits<T>::infinity() : std::acosh(x);
  });
}

/// sgn: Inductor computes z * (1 / |z|), part by part. If |z| is subnormal, 1 / |z| is infinite.
std::optional<Answer> sgn_by_an_inverse(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of || !is_complex(of->compute)) return std::nullopt;
  Chain& call = of->chain;
  const Operand self = of->operand("self");
  const Operand inverse = call("reciprocal", {call("abs", {self})});
  const Operand real = call.times(call("real", {self}), inverse);
  call("complex", {real, call.times(call("imag", {self}), inverse)});
  return of->answer();
}

/// ldexp: Inductor answers in the dtype of self if that is floating, and in float32 otherwise.
std::optional<Answer> ldexp_in_the_dtype_of_self(const Case& c, const Answer&) {
  if (c.form != Form::kFunctional) return std::nullopt;
  const Operand self = tensor_argument(c, "self");
  Operand other = tensor_argument(c, "other");
  const DType result = is_floating(self.dtype) ? self.dtype : DType::kFloat32;
  if (is_complex(self.dtype) || is_complex(other.dtype)) return std::nullopt;
  const DType compute = compute_dtype(result);
  // Inductor rounds the exponent to float8, and does not leave out that cast.
  if (kFloat8s.contains(result)) other = converted(other, result);
  Chain call(c);
  call.times(converted(self, compute), call("exp2", {converted(other, compute)}));
  return call.answer_in(result);
}

/// The value of an integer after it wraps to an integral dtype.
std::int64_t wrapped(std::int64_t value, DType dtype) {
  const Bytes held = cast(DType::kInt64, bytes_of(std::vector{value}), dtype);
  std::memcpy(&value, cast(dtype, held, DType::kInt64).data(), sizeof value);
  return value;
}

/// clamp: Inductor converts the bounds to the dtype of an integral tensor, in which they may wrap.
std::optional<Answer> bounds_that_wrap(const Case& c, const Answer& right) {
  if (right.tag != Answer::Tag::kTensor || !is_integral(right.dtype)) return std::nullopt;
  Case asked = c;
  for (Operand& operand : asked.arguments)
    if (operand.tag == Operand::Tag::kNumber)
      operand = number(wrapped(number_to<std::int64_t>(operand.number), right.dtype));
  return ours_of(asked);
}

/// add: Inductor multiplies a number by alpha with Python's integers, and refuses a product that
/// does not fit 64 bits.
std::optional<Answer> number_times_alpha_of_64_bits(const Case& c, const Answer&) {
  bool is_negative = false;
  std::uint64_t product = 1;
  bool is_held = true;
  for (const char* const parameter : {"other", "alpha"}) {
    const Operand factor = argument(c, parameter);
    if (factor.tag != Operand::Tag::kNumber || !is_integral(factor.number.dtype()))
      return std::nullopt;
    std::uint64_t size = number_to<std::uint64_t>(factor.number);
    if (factor.number.dtype() == DType::kInt64 && number_to<std::int64_t>(factor.number) < 0) {
      is_negative = !is_negative;
      size = -size;
    }
    is_held = !__builtin_mul_overflow(product, size, &product) && is_held;
  }
  constexpr std::uint64_t kLowest = std::uint64_t{1} << 63;
  if (is_held && !(is_negative && product > kLowest)) return std::nullopt;
  return refusal();
}

/// threshold_backward: the decomposition compares an operand of any dtype with a number; eager
/// refuses some dtypes.
std::optional<Answer> threshold_of_any_dtype(const Case& c, const Answer&) {
  if (c.form != Form::kFunctional) return std::nullopt;
  Chain call(c);
  const Operand self = converted(tensor_argument(c, "self"), DType::kFloat64);
  const Operand below = call("le.Scalar", {self, argument(c, "threshold")});
  call("where.ScalarSelf", {below, number(0), tensor_argument(c, "grad_output")});
  return call.answer();
}

}  // namespace

ModelRows inductor_models() {
  return {
      {"acosh_of_an_overflowing_square", {"acosh"}, acosh_of_an_overflowing_square},
      {"atanh_by_a_quotient", {"atanh"}, atanh_by_a_quotient},
      {"bounds_that_wrap", {"clamp", "clamp_min", "clamp_max", "hardtanh"}, bounds_that_wrap},
      {"floor_of_a_rounded_quotient", {"div", "floor_divide"}, floor_of_a_rounded_quotient},
      {"ldexp_in_the_dtype_of_self", {"ldexp"}, ldexp_in_the_dtype_of_self},
      {"number_times_alpha_of_64_bits", {"add"}, number_times_alpha_of_64_bits},
      {"remainder_of_a_rounded_quotient", {"remainder"}, remainder_of_a_rounded_quotient},
      {"sgn_by_an_inverse", {"sgn"}, sgn_by_an_inverse},
      {"threshold_of_any_dtype", {"threshold_backward"}, threshold_of_any_dtype},
  };
}

}  // namespace upcast::models
