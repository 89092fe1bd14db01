#include "oracle/host/known_models.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <span>
#include <vector>

#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/element.h"
#include "impl/math/integer_division.h"
#include "oracle/case_call.h"
#include "oracle/host/activation_models.h"
#include "oracle/impl_subject.h"

namespace upcast {
namespace {

using Bytes = std::vector<std::byte>;

Bytes cast(DType from, const Bytes& bytes, DType to) {
  const std::int64_t n = static_cast<std::int64_t>(bytes.size()) / itemsize(from);
  Bytes result(n * itemsize(to));
  cast_elements(from, bytes.data(), to, result.data(), n);
  return result;
}

template <class T>
std::vector<T> elements(DType from, const Bytes& bytes, DType to) {
  const Bytes converted = cast(from, bytes, to);
  std::vector<T> result(converted.size() / sizeof(T));
  std::memcpy(result.data(), converted.data(), converted.size());
  return result;
}

template <class T>
Bytes bytes_of(const std::vector<T>& elements) {
  Bytes bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

DType dtype_of(const Operand& operand) {
  return operand.tag == Operand::Tag::kNumber ? operand.number.dtype() : operand.dtype;
}

bool is_reduced(DType dtype) { return kReducedFloats.contains(dtype); }

/// The right answer with other values of the common dtype.
Answer with_values(const Answer& right, DType common, const Bytes& values) {
  Answer wrong = right;
  wrong.bytes = cast(common, values, right.dtype);
  return wrong;
}

std::string_view rounding_mode(const Case& c) {
  const int position = c.schema().find("rounding_mode");
  return position < 0 ? std::string_view() : std::string_view(c.arguments[position].text);
}

/// mul and div of float16 and bfloat16 whose second operand has one element: ATen reads it in its
/// own dtype as float32, unrounded, where the documented promotion rounds it to the common dtype.
std::optional<Answer> unrounded_second_operand(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !is_reduced(promoted.value().common)) return std::nullopt;
  const DType common = promoted.value().common;
  const DType first = dtype_of(c.arguments[0]);
  const Bytes rounded = cast(first, operand_values(c, 0), common);
  std::vector<float> values = elements<float>(common, rounded, DType::kFloat32);
  const std::vector<float> second =
      elements<float>(dtype_of(c.arguments[1]), operand_values(c, 1), DType::kFloat32);
  if (second.size() != 1) return std::nullopt;
  for (float& value : values) {
    value = c.op->spec->name == "mul"     ? value * second[0]
            : rounding_mode(c) == "trunc" ? std::trunc(value / second[0])
            : rounding_mode(c) == "floor" ? float_floor_divide(value, second[0])
                                          : value / second[0];
  }
  return with_values(right, common, cast(DType::kFloat32, bytes_of(values), common));
}

/// div(trunc) of float16 and bfloat16: ATen rounds the quotient to the dtype before it truncates,
/// so that 9.998 becomes 10.
std::optional<Answer> truncated_after_rounding(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !is_reduced(promoted.value().common)) return std::nullopt;
  Case quotient = c;
  quotient.form = Form::kFunctional;
  quotient.out = {};
  quotient.arguments[c.schema().find("rounding_mode")] = {.tag = Operand::Tag::kNone};
  ImplSubject ours;
  Answer answer;
  ours.answer(quotient, answer);
  std::vector<float> values = elements<float>(answer.dtype, answer.bytes, DType::kFloat32);
  for (float& value : values) value = std::trunc(value);
  return with_values(right, DType::kFloat32, bytes_of(values));
}

/// eq and ne into an out that is not bool: ATen computes 0 or 1 in the common dtype first, and
/// float8_e8m0fnu has no 0: false becomes 2^-127.
std::optional<Answer> false_is_not_zero(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  return with_values(right, promoted.value().common,
                     cast(right.dtype, right.bytes, promoted.value().common));
}

/// float64 to a narrower format: ATen goes through float32 and rounds twice.
std::optional<Answer> rounded_through_float32(const Case& c, const Answer& right) {
  Case exact = c;
  exact.form = Form::kFunctional;
  exact.out = {};
  ImplSubject ours;
  Answer answer;
  ours.answer(exact, answer);
  if (answer.tag != Answer::Tag::kTensor || answer.dtype != DType::kFloat64) return std::nullopt;
  return with_values(right, DType::kFloat32, cast(DType::kFloat64, answer.bytes, DType::kFloat32));
}

float half(float value) { return static_cast<float>(Half(static_cast<double>(value))); }

Complex<float> half_product(Complex<float> a, Complex<float> b) {
  return {half(a.re * b.re - a.im * b.im), half(a.re * b.im + a.im * b.re)};
}

/// addcmul of complex32: ATen multiplies and adds in complex32, rounding every result to float16.
std::optional<Answer> every_step_in_float16(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || promoted.value().common != DType::kComplex32) return std::nullopt;
  std::vector<Complex<float>> operands[3];
  for (int i = 0; i < 3; ++i) {
    const Bytes rounded = cast(dtype_of(c.arguments[i]), operand_values(c, i), DType::kComplex32);
    operands[i] = elements<Complex<float>>(DType::kComplex32, rounded, DType::kComplex64);
  }
  const std::size_t n = right.bytes.size() / itemsize(right.dtype);
  std::vector<Complex<float>> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [i](const auto& operand) { return operand[operand.size() == 1 ? 0 : i]; };
    const Complex<float> product =
        half_product(half_product({1, 0}, at(operands[1])), at(operands[2]));
    const Complex<float> self = at(operands[0]);
    values[i] = {half(self.re + product.re), half(self.im + product.im)};
  }
  return with_values(right, DType::kComplex64, bytes_of(values));
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
  const FoundOp found =
      find_callable(c.form == Form::kOut ? kOut[c.overload] : kFunctional[c.overload]);
  power.op = found.op;
  power.overload = found.overload;
  std::vector<std::complex<float>> parts;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    Operand& operand = power.arguments[i];
    if (operand.tag != Operand::Tag::kNumber) return std::nullopt;
    const Bytes converted =
        cast(operand.number.dtype(), operand_values(c, static_cast<int>(i)), common);
    const auto value = elements<Complex<double>>(common, converted, DType::kComplex128)[0];
    parts.emplace_back(static_cast<float>(value.re), static_cast<float>(value.im));
    const bool tensor = c.schema().parameters[i].type == ParameterType::kTensor;
    if (tensor && operand.number.dtype() != common)
      operand = {.tag = Operand::Tag::kTensor, .dtype = common, .values = converted};
    else
      operand.number = is_complex(common) ? Number(value) : Number(value.re);
  }
  ImplSubject ours;
  Answer answer;
  ours.answer(power, answer);
  const Outcome<Promoted> narrow = promote_case(power);
  if (!narrow.ok() || narrow.value().common != DType::kComplex64) return answer;
  // bit for bit: complex64's pow is off by more than float_power's own bound
  const std::complex<float> value = std::pow(parts[0], parts[1]);
  return with_values(answer, DType::kComplex64,
                     bytes_of(std::vector{Complex<float>{value.real(), value.imag()}}));
}

struct NamedModel {
  std::string_view name;
  KnownModel model;
};

constexpr NamedModel kModels[] = {
    {"unrounded_second_operand", &unrounded_second_operand},
    {"truncated_after_rounding", &truncated_after_rounding},
    {"false_is_not_zero", &false_is_not_zero},
    {"rounded_through_float32", &rounded_through_float32},
    {"every_step_in_float16", &every_step_in_float16},
    {"power_in_the_default_dtype", &power_in_the_default_dtype},
    {"activation_formula", &activation_formula},
    {"dropout_with_unrounded_factors", &dropout_with_unrounded_factors}};

}  // namespace

KnownModel find_known_model(std::string_view name) {
  for (const NamedModel& row : kModels)
    if (row.name == name) return row.model;
  return nullptr;
}

std::string known_model_names() {
  std::string names;
  for (const NamedModel& row : kModels) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

}  // namespace upcast
