// Models of LibTorch's arithmetic where it is wrong: it rounds after each step, or leaves out a
// rounding.
#include <cmath>
#include <string_view>
#include <vector>

#include "cases/operands.h"
#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/element.h"
#include "impl/math/integer_division.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"
#include "oracle/number_rounding.h"

namespace upcast::models {
namespace {

Complex<float> rounded_parts(Complex<float> z) {
  return {rounded_to(DType::kFloat16, z.re), rounded_to(DType::kFloat16, z.im)};
}

Answer with_complexes(const Answer& right, const std::vector<Complex<float>>& values) {
  return with_values(right, DType::kComplex32,
                     cast(DType::kComplex64, bytes_of(values), DType::kComplex32));
}

std::string_view rounding_mode(const Case& c) {
  const int position = c.schema().find("rounding_mode");
  return position < 0 ? std::string_view() : std::string_view(c.arguments[position].text);
}

/// mul, div and floor_divide of float16 and bfloat16: ATen rounds the first operand to the common
/// dtype, whatever the operand's own dtype is. A second operand of one element is read as float32,
/// without rounding it to the common dtype.
template <auto kFunction>
std::optional<Answer> second_element_unrounded(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats);
  if (!common) return std::nullopt;
  const DType first = dtype_of(c.arguments[0]);
  const Bytes rounded = cast(first, seen_values(c, 0), *common);
  std::vector<float> values = elements<float>(*common, rounded, DType::kFloat32);
  const std::vector<float> second =
      elements<float>(dtype_of(c.arguments[1]), seen_values(c, 1), DType::kFloat32);
  if (second.size() != 1) return std::nullopt;  // numbers-are-rounded-first
  for (float& value : values) value = kFunction(c, value, second[0]);
  return with_floats(right, *common, values);
}

float product(const Case&, float a, float b) { return a * b; }
float floored_quotient(const Case&, float a, float b) { return float_floor_divide(a, b); }
float quotient(const Case& c, float a, float b) {
  const std::string_view mode = rounding_mode(c);
  return mode == "trunc" ? std::trunc(a / b) : mode == "floor" ? float_floor_divide(a, b) : a / b;
}

/// div(trunc) of float16 and bfloat16: ATen rounds the quotient to the dtype before it truncates,
/// so that 9.998 becomes 10. A first operand that does not decide the dtype is rounded to it too.
std::optional<Answer> truncated_after_rounding(const Case& c, const Answer& right) {
  if (!common_among(c, kReducedFloats)) return std::nullopt;
  Case quotient = c;
  quotient.form = Form::kFunctional;
  quotient.out = {};
  quotient.arguments[c.schema().find("rounding_mode")] = {.tag = Operand::Tag::kNone};
  const Answer answer = answer_of({.c = quotient, .rounds_operands = true});
  std::vector<float> values = elements<float>(answer.dtype, answer.bytes, DType::kFloat32);
  for (float& value : values) value = std::trunc(value);
  return with_values(right, DType::kFloat32, bytes_of(values));
}

/// mul: float8 has no kernel for a second operand whose elements all lie at one address.
std::optional<Answer> float8_product_with_one_element(const Case& c, const Answer&) {
  if (!common_among(c, kFloat8s)) return std::nullopt;
  const Operand& second = c.arguments[1];
  if (second.tag != Operand::Tag::kNumber) {
    const Dims strides = second.strides.empty() ? contiguous_strides(second.sizes) : second.strides;
    for (std::size_t d = 0; d < second.sizes.size(); ++d)
      if (second.sizes[d] != 1 && strides[d] != 0) return std::nullopt;
  }
  return refusal();
}

/// native_dropout_backward: float8 has no kernel for the product with its scale, a scalar.
std::optional<Answer> float8_product_with_a_scale(const Case& c, const Answer&) {
  for (const int tensor : tensor_arguments(c))
    if (kFloat8s.contains(c.arguments[tensor].dtype)) return refusal();
  return std::nullopt;
}

/// gcd by Euclid's algorithm on signed integers: the most negative one has no absolute value, and
/// its remainders are negative.
template <class T>
T signed_gcd(T a, T b) {
  a = a < 0 ? wrapping_neg(a) : a;
  b = b < 0 ? wrapping_neg(b) : b;
  while (a != 0) {
    const T rest = remainder_toward_zero(b, a);
    b = a;
    a = rest;
  }
  return b;
}

std::optional<Answer> gcd_with_a_sign(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  std::optional<Answer> wrong;
  const auto fill = [&]<class T>(T) {
    std::vector<T> values = loop_values<T>(c, 0, right.sizes, common, common);
    const std::vector<T> others = loop_values<T>(c, 1, right.sizes, common, common);
    if (values.size() != others.size()) return;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = signed_gcd(values[i], others[i]);
    wrong = with_values(right, common, bytes_of(values));
  };
  if (common == DType::kInt8) fill(std::int8_t{});
  if (common == DType::kInt16) fill(std::int16_t{});
  if (common == DType::kInt32) fill(std::int32_t{});
  if (common == DType::kInt64) fill(std::int64_t{});
  return wrong;
}

/// add, sub and rsub of float16, bfloat16 and complex32: ATen rounds alpha and alpha * other to the
/// dtype before it adds. kFactor: the number of the operand that alpha multiplies.
template <bool kNegative, int kFactor>
std::optional<Answer> alpha_in_the_dtype(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats | DTypeSet(DType::kComplex32));
  if (!common) return std::nullopt;
  const Number alpha = kNegative ? negated_as_scalar(number_of(c, "alpha")) : number_of(c, "alpha");
  if (is_complex(*common)) {
    using Z = Complex<float>;
    auto sums = loop_values<Z>(c, 1 - kFactor, right.sizes, *common, DType::kComplex64);
    const auto others = loop_values<Z>(c, kFactor, right.sizes, *common, DType::kComplex64);
    const Z scale = rounded_parts(number_to<Z>(alpha));
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = sums[i] + rounded_parts(scale * others[i]);
    return with_complexes(right, sums);
  }
  auto sums = loop_values<float>(c, 1 - kFactor, right.sizes, *common, DType::kFloat32);
  const auto others = loop_values<float>(c, kFactor, right.sizes, *common, DType::kFloat32);
  const float scale = rounded_to(*common, number_to<float>(alpha));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += rounded_to(*common, scale * others[i]);
  return with_floats(right, *common, sums);
}

/// addcmul of complex32: ATen multiplies and adds in complex32, rounding every result to float16.
std::optional<Answer> every_step_in_float16(const Case& c, const Answer& right) {
  if (!common_among(c, DType::kComplex32)) return std::nullopt;
  const auto operand = [&](int i) {
    return loop_values<Complex<float>>(c, i, right.sizes, DType::kComplex32, DType::kComplex64);
  };
  auto sums = operand(0);
  const auto a = operand(1);
  const auto b = operand(2);
  const Complex<float> value = rounded_parts(number_to<Complex<float>>(number_of(c, "value")));
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = sums[i] + rounded_parts(rounded_parts(value * a[i]) * b[i]);
  return with_complexes(right, sums);
}

/// Floor division as Python defines it, in float16 or bfloat16. Each step is rounded to that dtype.
float stepwise_floor_divide(const Case&, DType dtype, float a, float b) {
  if (b == 0) return a / b;
  const float rest = std::fmod(a, b);
  float quotient = rounded_to(dtype, rounded_to(dtype, a - rest) / b);
  if (rest != 0 && (b < 0) != (rest < 0)) quotient = rounded_to(dtype, quotient - 1);
  if (quotient == 0) return std::copysign(0.0F, a / b);
  const float floored = std::floor(quotient);
  return rounded_to(dtype, quotient - floored) > 0.5F ? rounded_to(dtype, floored + 1) : floored;
}

float stepwise_huber(const Case& c, DType dtype, float a, float b) {
  const float delta = rounded_to(dtype, number_to<float>(number_of(c, "delta")));
  // For float16 the difference is kept in float32, so that 60000 - -60000 is not infinite.
  const float error = std::abs(dtype == DType::kFloat16 ? a - b : rounded_to(dtype, a - b));
  const float half = rounded_to(dtype, 0.5F * error);
  const float half_delta = rounded_to(dtype, 0.5F * delta);
  return error < delta ? half * error : delta * rounded_to(dtype, error - half_delta);
}

/// A model in which ATen rounds the result of every step to the dtype.
template <auto kFunction>
std::optional<Answer> every_step_in_the_dtype(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats);
  if (!common) return std::nullopt;
  auto values = loop_values<float>(c, 0, right.sizes, *common, DType::kFloat32);
  const auto others = loop_values<float>(c, 1, right.sizes, *common, DType::kFloat32);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = kFunction(c, *common, values[i], others[i]);
  return with_floats(right, *common, values);
}

template <class T>
std::vector<T> lerp(const Case& c, DType common, DType compute, const Dims& shape) {
  auto results = loop_values<T>(c, 0, shape, common, compute);
  const auto ends = loop_values<T>(c, 1, shape, common, compute);
  const bool number = c.schema().parameters[2].type == ParameterType::kScalar;
  const std::vector<T> weights =
      number ? std::vector<T>(results.size(), number_to<T>(c.arguments[2].number))
             : loop_values<T>(c, 2, shape, common, compute);
  const std::vector<bool> in_body = in_vector_body(c, common, results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const T difference = ends[i] - results[i];
    const bool near_start = std::abs(weights[i]) < T(0.5);
    results[i] = near_start   ? results[i] + weights[i] * difference
                 : in_body[i] ? ends[i] + (weights[i] - 1) * difference
                              : ends[i] - difference * (1 - weights[i]);
  }
  return results;
}

/// lerp for a weight near 1. ATen's scalar code computes end - (end - start) * (1 - weight), as
/// documented. Its vector code computes end + (end - start) * (weight - 1), which gives zeros
/// another sign.
std::optional<Answer> lerp_in_the_vector_body(const Case& c, const Answer& right) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  if (*common == DType::kFloat64)
    return with_values(right, *common, bytes_of(lerp<double>(c, *common, *common, right.sizes)));
  return with_floats(right, *common, lerp<float>(c, *common, DType::kFloat32, right.sizes));
}

/// The dtype of the product target * input, a step of poisson_nll_loss; kUndefined if the product
/// is refused.
DType product_dtype(const Case& c) {
  const FoundOp found = find_callable("mul.Tensor");
  Case product = c;
  product.op = found.op;
  product.overload = found.overload;
  product.arguments = {c.arguments[1], c.arguments[0]};
  const Outcome<Promoted> promoted = promote_case(product);
  return promoted.ok() ? promoted.value().common : DType::kUndefined;
}

/// Computes log(x + eps) in two steps, each rounded to a dtype; in float64 without such rounding.
float log_of_sum(DType dtype, double x, double eps) {
  if (dtype == DType::kFloat64) return static_cast<float>(std::log(x + eps));
  const float sum = rounded_to(dtype, static_cast<float>(x) + static_cast<float>(eps));
  return rounded_to(dtype, std::log(sum));
}

/// Stirling's term, which poisson_nll_loss adds if `full` is true; each step is rounded to the
/// dtype.
float stirling_term(DType dtype, float count) {
  constexpr float kTwoPi = 6.2831853F;
  if (count <= 1) return 0;
  const float product = rounded_to(dtype, count * rounded_to(dtype, std::log(count)));
  const float circle = rounded_to(dtype, std::log(rounded_to(dtype, count * kTwoPi)));
  return rounded_to(dtype, rounded_to(dtype, product - count) + rounded_to(dtype, 0.5F * circle));
}

/// poisson_nll_loss of a float16 or bfloat16 target. If input has one element, of a wider dtype,
/// ATen multiplies it in float32 without rounding it first (as second_element_unrounded).
std::optional<Answer> poisson_loss_of_one_input(const Case& c, const Answer& right) {
  const Operand& input = c.arguments[0];
  const DType self = dtype_of(input), target = product_dtype(c);
  if (!is_reduced(target) || self == target || is_complex(self) || is_complex(right.dtype) ||
      right.dtype == DType::kFloat64)
    return std::nullopt;
  const bool own = input.tag == Operand::Tag::kTensor && is_floating(self);
  const DType function = own ? self : c.defaults.floating;
  const bool log_input = number_to<bool>(number_of(c, "log_input"));
  const bool full = number_to<bool>(number_of(c, "full"));
  const auto eps = number_to<double>(number_of(c, "eps"));
  auto values = loop_values<float>(c, 1, right.sizes, target, DType::kFloat32);
  const auto inputs = loop_values<double>(c, 0, right.sizes, DType::kFloat64, DType::kFloat64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float count = values[i];
    const auto x = static_cast<float>(inputs[i]);
    const float first = log_input ? rounded_to(function, std::exp(x)) : x;
    const float factor = log_input ? x : log_of_sum(function, inputs[i], eps);
    values[i] = rounded_to(right.dtype, first) - rounded_to(target, count * factor);
    if (full) values[i] = rounded_to(right.dtype, values[i]) + stirling_term(target, count);
  }
  return with_floats(right, right.dtype, values);
}

}  // namespace

ModelRows arithmetic_models() {
  return {
      {"second_element_unrounded", {"mul"}, second_element_unrounded<product>},
      {"second_element_unrounded", {"div"}, second_element_unrounded<quotient>},
      {"second_element_unrounded", {"floor_divide"}, second_element_unrounded<floored_quotient>},
      {"truncated_after_rounding", {"div"}, truncated_after_rounding},
      {"float8_product_with_one_element", {"mul"}, float8_product_with_one_element},
      {"float8_product_with_one_element", {"native_dropout_backward"}, float8_product_with_a_scale},
      {"gcd_with_a_sign", {"gcd"}, gcd_with_a_sign},
      {"alpha_in_the_dtype", {"add"}, alpha_in_the_dtype<false, 1>},
      {"alpha_in_the_dtype", {"sub"}, alpha_in_the_dtype<true, 1>},
      {"alpha_in_the_dtype", {"rsub"}, alpha_in_the_dtype<true, 0>},
      {"every_step_in_float16", {"addcmul"}, every_step_in_float16},
      {"every_step_in_the_dtype",
       {"div", "floor_divide"},
       every_step_in_the_dtype<stepwise_floor_divide>},
      {"every_step_in_the_dtype", {"huber_loss"}, every_step_in_the_dtype<stepwise_huber>},
      {"lerp_in_the_vector_body", {"lerp"}, lerp_in_the_vector_body},
      {"one_element_unrounded", {"poisson_nll_loss"}, poisson_loss_of_one_input},
  };
}

}  // namespace upcast::models
