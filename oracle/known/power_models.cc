// Models of LibTorch's powers where they are wrong: they take shortcuts, or an exponent or a factor
// of another dtype.
#include <cmath>
#include <string_view>
#include <vector>

#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/element.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

/// The power of x by ATen's shortcut for this exponent; nothing if ATen has none.
template <class T>
std::optional<T> shortcut_power(DType dtype, T x, double exponent) {
  const auto step = [dtype](T value) {
    return dtype == DType::kBFloat16 ? static_cast<T>(rounded_to(dtype, static_cast<float>(value)))
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

/// pow and float_power with a number as exponent: ATen computes 0.5 as sqrt, -0.5 as its
/// reciprocal, and -2 and 3 by products. It rounds each product of bfloat16.
std::optional<Answer> power_by_shortcut(const Case& c, const Answer& right) {
  if (c.arguments[1].tag == Operand::Tag::kNumber &&
      number_to<Complex<double>>(c.arguments[1].number) == Complex<double>{1, 0})
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

/// pow of float32 and bfloat16: ATen calls glibc's powf, which answers NaN for 1 to the power of a
/// signaling NaN.
std::optional<Answer> glibc_powf(const Case& c, const Answer& right) {
  const auto common = common_among(c, DTypeSet(DType::kFloat32) | DTypeSet(DType::kBFloat16));
  if (!common) return std::nullopt;
  auto values = loop_values<float>(c, 0, right.sizes, *common, DType::kFloat32);
  const auto exponents = loop_values<float>(c, 1, right.sizes, *common, DType::kFloat32);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::pow(values[i], exponents[i]);
  return with_floats(right, *common, values);
}

/// float_power converts its tensors to float64 or complex128, but a wrapped number of that dtype
/// keeps its wrapped flag, and pow then computes in the default dtype.
std::optional<Answer> power_in_the_default_dtype(const Case& c, const Answer&) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  Case power = c;
  constexpr std::string_view kFunctional[] = {"pow.Tensor_Tensor", "pow.Tensor_Scalar",
                                              "pow.Scalar"};
  constexpr std::string_view kOut[] = {"pow.Tensor_Tensor_out", "pow.Tensor_Scalar_out",
                                       "pow.Scalar_out"};
  set_callable(power, (c.form == Form::kOut ? kOut : kFunctional)[c.overload]);
  std::vector<double> reals;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    Operand& operand = power.arguments[i];
    if (operand.tag != Operand::Tag::kNumber) return std::nullopt;
    const Bytes converted =
        cast(operand.number.dtype(), seen_values(c, static_cast<int>(i)), common);
    const auto value = elements<Complex<double>>(common, converted, DType::kComplex128)[0];
    reals.push_back(value.re);
    const bool tensor = c.schema().parameters[i].type == ParameterType::kTensor;
    if (tensor && operand.number.dtype() != common)
      operand = {.tag = Operand::Tag::kTensor, .dtype = common, .values = converted};
    else
      operand.number = is_complex(common) ? Number(value) : Number(value.re);
  }
  Answer answer = ours_of(power);
  const Outcome<Promoted> narrow = promote_case(power);
  const bool scalar_exponent = c.overload == 1;
  // ATen's scalar code keeps an exponent of type Scalar in float64.
  if (narrow.ok() && narrow.value().common == DType::kFloat32 && scalar_exponent &&
      reals[1] != static_cast<double>(static_cast<float>(reals[1]))) {
    const double exact = std::pow(static_cast<double>(static_cast<float>(reals[0])), reals[1]);
    return with_values(answer, DType::kFloat32, bytes_of(std::vector{static_cast<float>(exact)}));
  }
  if (!narrow.ok() || narrow.value().common != DType::kComplex64)
    return scalar_exponent ? power_by_shortcut(power, answer).value_or(answer) : answer;
  // The complex power is computed bit for bit, because complex64's pow errs by more than
  // float_power's own bound.
  return complex_formula(power, answer);
}

/// pow of float32 with a number as exponent: the vector body rounds the exponent to float32, the
/// scalar tail keeps it in float64.
std::optional<Answer> power_of_an_unrounded_exponent(const Case& c, const Answer& right) {
  const auto common = common_among(c, DTypeSet(DType::kFloat32) | DTypeSet(DType::kBFloat16));
  const Operand& exponent = c.arguments[1];
  if (!common || exponent.tag != Operand::Tag::kNumber) return std::nullopt;
  const double power = number_to<double>(exponent.number);
  auto values = loop_values<float>(c, 0, right.sizes, *common, DType::kFloat32);
  const auto in_body = elements<float>(right.dtype, right.bytes, DType::kFloat32);
  const std::vector<bool> body = in_vector_body(c, *common, values.size());
  if (values.size() != in_body.size()) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        body[i] ? in_body[i] : static_cast<float>(std::pow(static_cast<double>(values[i]), power));
  return with_floats(right, *common, values);
}

/// ldexp: ATen cuts an int64 exponent to int32.
std::optional<Answer> exponent_cut_to_int32(const Case& c, const Answer&) {
  if (dtype_of(c.arguments[1]) != DType::kInt64) return std::nullopt;
  const Bytes cut = cast(DType::kInt64, seen_values(c, 1), DType::kInt32);
  const Bytes widened = cast(DType::kInt32, cut, DType::kInt64);
  Case narrow = c;
  narrow.arguments[0].values = seen_values(c, 0);
  if (c.arguments[1].tag == Operand::Tag::kNumber)
    narrow.arguments[1].number = elements<std::int64_t>(DType::kInt64, widened, DType::kInt64)[0];
  else
    narrow.arguments[1].values = widened;
  return ours_of(narrow);
}

}  // namespace

ModelRows power_models() {
  return {
      {"power_by_shortcut", {"pow", "float_power"}, power_by_shortcut},
      {"glibc_powf", {"pow"}, glibc_powf},
      {"power_in_the_default_dtype", {"float_power"}, power_in_the_default_dtype},
      {"power_of_an_unrounded_exponent", {"pow"}, power_of_an_unrounded_exponent},
      {"exponent_cut_to_int32", {"ldexp"}, exponent_cut_to_int32},
  };
}

}  // namespace upcast::models
