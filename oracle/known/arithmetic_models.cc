#include "oracle/known/arithmetic_models.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "impl/core/element.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"
#include "oracle/known/number_models.h"

namespace upcast {
namespace {

using namespace models;

/// As a kernel of float32 sees it.
float rounded(DType dtype, float value) {
  if (!is_reduced(dtype)) return value;
  if (dtype == DType::kBFloat16) return static_cast<float>(BFloat16(static_cast<double>(value)));
  return static_cast<float>(Half(static_cast<double>(value)));
}

Complex<float> rounded(Complex<float> z) {
  return {rounded(DType::kFloat16, z.re), rounded(DType::kFloat16, z.im)};
}

Answer with_floats(const Answer& right, DType common, const std::vector<float>& values) {
  return with_values(right, common, cast(DType::kFloat32, bytes_of(values), common));
}
Answer with_complexes(const Answer& right, const std::vector<Complex<float>>& values) {
  return with_values(right, DType::kComplex32,
                     cast(DType::kComplex64, bytes_of(values), DType::kComplex32));
}

}  // namespace

std::optional<Answer> alpha_in_the_dtype(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats | DTypeSet(DType::kComplex32));
  if (!common) return std::nullopt;
  const std::string_view op = c.op->spec->name;
  const bool negative = op != "add";
  const int factor = op == "rsub" ? 0 : 1;
  const Number alpha = negative ? negated_as_scalar(number_of(c, "alpha")) : number_of(c, "alpha");
  if (is_complex(*common)) {
    using Z = Complex<float>;
    auto sums = loop_values<Z>(c, 1 - factor, right.sizes, *common, DType::kComplex64);
    const auto others = loop_values<Z>(c, factor, right.sizes, *common, DType::kComplex64);
    const Z scale = rounded(number_to<Z>(alpha));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = sums[i] + rounded(scale * others[i]);
    return with_complexes(right, sums);
  }
  auto sums = loop_values<float>(c, 1 - factor, right.sizes, *common, DType::kFloat32);
  const auto others = loop_values<float>(c, factor, right.sizes, *common, DType::kFloat32);
  const float scale = rounded(*common, number_to<float>(alpha));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += rounded(*common, scale * others[i]);
  return with_floats(right, *common, sums);
}

std::optional<Answer> every_step_in_float16(const Case& c, const Answer& right) {
  if (!common_among(c, DType::kComplex32)) return std::nullopt;
  const auto operand = [&](int i) {
    return loop_values<Complex<float>>(c, i, right.sizes, DType::kComplex32, DType::kComplex64);
  };
  auto sums = operand(0);
  const auto a = operand(1);
  const auto b = operand(2);
  const Complex<float> value = rounded(number_to<Complex<float>>(number_of(c, "value")));
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = sums[i] + rounded(rounded(value * a[i]) * b[i]);
  return with_complexes(right, sums);
}

namespace {

/// Python's floor division, each step rounded.
float stepwise_floor_divide(DType dtype, float a, float b) {
  if (b == 0) return a / b;
  const float rest = std::fmod(a, b);
  float quotient = rounded(dtype, rounded(dtype, a - rest) / b);
  if (rest != 0 && (b < 0) != (rest < 0)) quotient = rounded(dtype, quotient - 1);
  if (quotient == 0) return std::copysign(0.0F, a / b);
  const float floored = std::floor(quotient);
  return rounded(dtype, quotient - floored) > 0.5F ? rounded(dtype, floored + 1) : floored;
}

float stepwise_huber(DType dtype, float a, float b, float delta) {
  const float error = std::abs(rounded(dtype, a - b));
  const float half = rounded(dtype, 0.5F * error);
  const float half_delta = rounded(dtype, 0.5F * delta);
  return error < delta ? half * error : delta * rounded(dtype, error - half_delta);
}

}  // namespace

std::optional<Answer> every_step_in_the_dtype(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats);
  if (!common) return std::nullopt;
  const bool huber = c.op->spec->name == "huber_loss";
  const float delta = huber ? rounded(*common, number_to<float>(number_of(c, "delta"))) : 0;
  auto values = loop_values<float>(c, 0, right.sizes, *common, DType::kFloat32);
  const auto others = loop_values<float>(c, 1, right.sizes, *common, DType::kFloat32);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = huber ? stepwise_huber(*common, values[i], others[i], delta)
                      : stepwise_floor_divide(*common, values[i], others[i]);
  return with_floats(right, *common, values);
}

namespace {

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

}  // namespace

std::optional<Answer> lerp_in_the_vector_body(const Case& c, const Answer& right) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  if (*common == DType::kFloat64)
    return with_values(right, *common, bytes_of(lerp<double>(c, *common, *common, right.sizes)));
  return with_floats(right, *common, lerp<float>(c, *common, DType::kFloat32, right.sizes));
}

namespace {

/// Nothing where `exponent` has no shortcut.
template <class T>
std::optional<T> shortcut_power(DType dtype, T x, double exponent) {
  const auto step = [dtype](T value) {
    return dtype == DType::kBFloat16 ? static_cast<T>(rounded(dtype, static_cast<float>(value)))
                                     : value;
  };
  if (exponent == 0.5) return std::sqrt(x);
  if (exponent == -0.5) return 1 / step(std::sqrt(x));
  if (exponent == 3) return step(x * x) * x;
  if (exponent == -2) return 1 / step(x * x);
  return std::nullopt;
}

template <class T>
std::optional<std::vector<T>> shortcut_powers(const Case& c, DType common, DType compute,
                                              const Dims& shape) {
  const double exponent = number_to<double>(c.arguments[1].number);
  auto values = loop_values<T>(c, 0, shape, common, compute);
  for (T& value : values) {
    const std::optional<T> power = shortcut_power(common, value, exponent);
    if (!power) return std::nullopt;
    value = *power;
  }
  return values;
}

}  // namespace

std::optional<Answer> power_by_shortcut(const Case& c, const Answer& right) {
  if (c.arguments[1].tag == Operand::Tag::kNumber &&
      number_to<Complex<double>>(c.arguments[1].number) == Complex<double>(1))
    return with_values(right, dtype_of(c.arguments[0]), broadcast_values(c, 0, right.sizes));
  const auto common = common_among(c, kFloats - DTypeSet(DType::kFloat16));
  if (!common || c.arguments[1].tag != Operand::Tag::kNumber) return std::nullopt;
  if (*common == DType::kFloat64) {
    const auto values = shortcut_powers<double>(c, *common, *common, right.sizes);
    if (!values) return std::nullopt;
    return with_values(right, *common, bytes_of(*values));
  }
  const auto values = shortcut_powers<float>(c, *common, DType::kFloat32, right.sizes);
  if (!values) return std::nullopt;
  return with_floats(right, *common, *values);
}

std::optional<Answer> glibc_powf(const Case& c, const Answer& right) {
  const auto common = common_among(c, DTypeSet(DType::kFloat32) | DTypeSet(DType::kBFloat16));
  if (!common) return std::nullopt;
  auto values = loop_values<float>(c, 0, right.sizes, *common, DType::kFloat32);
  const auto exponents = loop_values<float>(c, 1, right.sizes, *common, DType::kFloat32);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::pow(values[i], exponents[i]);
  return with_floats(right, *common, values);
}

namespace {

/// Of target * input; kUndefined where that is refused.
DType product_dtype(const Case& c) {
  const FoundOp found = find_callable("mul.Tensor");
  Case product = c;
  product.op = found.op;
  product.overload = found.overload;
  product.arguments = {c.arguments[1], c.arguments[0]};
  const Outcome<Promoted> promoted = promote_case(product);
  return promoted.ok() ? promoted.value().common : DType::kUndefined;
}

/// log(x + eps) of two steps in a dtype.
float log_of_sum(DType dtype, double x, double eps) {
  if (dtype == DType::kFloat64) return static_cast<float>(std::log(x + eps));
  const float sum = rounded(dtype, static_cast<float>(x) + static_cast<float>(eps));
  return rounded(dtype, std::log(sum));
}

/// What `full` adds, each step rounded.
float stirling_term(DType dtype, float count) {
  constexpr float kTwoPi = 6.2831853F;
  if (count <= 1) return 0;
  const float product = rounded(dtype, count * rounded(dtype, std::log(count)));
  const float circle = rounded(dtype, std::log(rounded(dtype, count * kTwoPi)));
  return rounded(dtype, rounded(dtype, product - count) + rounded(dtype, 0.5F * circle));
}

}  // namespace

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
    const float first = log_input ? rounded(function, std::exp(x)) : x;
    const float factor = log_input ? x : log_of_sum(function, inputs[i], eps);
    values[i] = rounded(right.dtype, first) - rounded(target, count * factor);
    if (full) values[i] = rounded(right.dtype, values[i]) + stirling_term(target, count);
  }
  return with_floats(right, right.dtype, values);
}

std::optional<Answer> product_with_an_unrounded_power(const Case& c, const Answer& right) {
  const DType self = c.arguments[0].dtype, exponent = c.arguments[1].dtype;
  const DType power_dtype = is_floating(exponent) ? exponent : c.defaults.floating;
  if (!is_reduced(self) || power_dtype == self || !c.arguments[1].sizes.empty())
    return std::nullopt;
  auto values = loop_values<float>(c, 0, right.sizes, self, DType::kFloat32);
  const auto exponents = loop_values<double>(c, 1, right.sizes, exponent, DType::kFloat64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto power = static_cast<float>(std::pow(2.0, exponents[i]));
    values[i] = rounded(self, values[i] * rounded(power_dtype, power));
  }
  return with_floats(right, self, values);
}

}  // namespace upcast
