#include "oracle/known/known_models.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <span>
#include <vector>

#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/element.h"
#include "impl/math/integer_division.h"
#include "impl/ops/arithmetic.h"
#include "oracle/case_call.h"
#include "oracle/impl_subject.h"
#include "oracle/known/activation_models.h"
#include "oracle/known/arithmetic_models.h"
#include "oracle/known/bessel_models.h"
#include "oracle/known/complex_models.h"
#include "oracle/known/conversion_models.h"
#include "oracle/known/gamma_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/meta_models.h"
#include "oracle/known/model_values.h"
#include "oracle/known/named_models.h"
#include "oracle/known/normal_models.h"
#include "oracle/known/number_models.h"
#include "oracle/known/polynomial_models.h"
#include "oracle/known/selection_models.h"
#include "oracle/known/vector_function_models.h"

namespace upcast {
namespace {

using namespace models;

std::string_view rounding_mode(const Case& c) {
  const int position = c.schema().find("rounding_mode");
  return position < 0 ? std::string_view() : std::string_view(c.arguments[position].text);
}

/// mul, div and floor_divide of float16 and bfloat16 whose second operand has one element: ATen
/// reads it in its own dtype as float32, unrounded, where the documented promotion rounds it to the
/// common dtype.
std::optional<Answer> unrounded_second_operand(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !is_reduced(promoted.value().common)) return std::nullopt;
  const DType common = promoted.value().common;
  const DType first = dtype_of(c.arguments[0]);
  const Bytes rounded = cast(first, seen_values(c, 0), common);
  std::vector<float> values = elements<float>(common, rounded, DType::kFloat32);
  const std::vector<float> second =
      elements<float>(dtype_of(c.arguments[1]), seen_values(c, 1), DType::kFloat32);
  if (second.size() != 1) return std::nullopt;
  const bool floors = c.op->spec->name == "floor_divide" || rounding_mode(c) == "floor";
  for (float& value : values) {
    value = c.op->spec->name == "mul"     ? value * second[0]
            : rounding_mode(c) == "trunc" ? std::trunc(value / second[0])
            : floors                      ? float_floor_divide(value, second[0])
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
  ImplSubject ours;
  Answer answer;
  ours.answer(power, answer);
  const Outcome<Promoted> narrow = promote_case(power);
  const bool scalar_exponent = c.overload == 1;
  // an exponent that is a Scalar stays float64 in the scalar code
  if (narrow.ok() && narrow.value().common == DType::kFloat32 && scalar_exponent &&
      reals[1] != static_cast<double>(static_cast<float>(reals[1]))) {
    const double exact = std::pow(static_cast<double>(static_cast<float>(reals[0])), reals[1]);
    return with_values(answer, DType::kFloat32, bytes_of(std::vector{static_cast<float>(exact)}));
  }
  if (!narrow.ok() || narrow.value().common != DType::kComplex64)
    return scalar_exponent ? power_by_shortcut(power, answer).value_or(answer) : answer;
  // bit for bit: complex64's pow is off by more than float_power's own bound
  return complex_formula(power, answer);
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

/// round(decimals): x * 10^d / 10^d in the compute dtype, where the power or the product may be
/// infinite and the product is rounded before its half is judged.
std::optional<Answer> scaled_in_the_compute_dtype(const Case& c, const Answer& right) {
  const int position = c.schema().find("decimals");
  if (position < 0) return std::nullopt;
  const DType dtype = dtype_of(c.arguments[0]);
  const auto decimals =
      c.arguments[position].number.visit([](auto value) { return convert<std::int64_t>(value); });
  const auto round = [decimals]<class T>(T x) {
    const T power = static_cast<T>(std::pow(T(10), static_cast<T>(std::abs(decimals))));
    return decimals < 0 ? std::nearbyint(x / power) * power : std::nearbyint(x * power) / power;
  };
  if (dtype == DType::kFloat64) {
    auto values = elements<double>(dtype, seen_values(c, 0), dtype);
    for (double& value : values) value = round(value);
    return with_values(right, DType::kFloat64, bytes_of(values));
  }
  auto values = elements<float>(dtype, seen_values(c, 0), DType::kFloat32);
  for (float& value : values) value = round(value);
  return with_values(right, dtype, cast(DType::kFloat32, bytes_of(values), dtype));
}

/// equal of a tensor with itself looks for NaN only, and float8 has no kernel of that.
std::optional<Answer> equal_to_itself_has_no_float8(const Case& c, const Answer&) {
  const Operand& other = c.arguments[1];
  if (!kFloat8s.contains(other.dtype) || other.shares != 0 || !same_layout(c.arguments[0], other))
    return std::nullopt;
  return refusal();
}

/// mul: float8 has no kernel for a second operand whose elements all lie at one address.
std::optional<Answer> float8_product_with_one_element(const Case& c, const Answer&) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !kFloat8s.contains(promoted.value().common)) return std::nullopt;
  const Operand& second = c.arguments[1];
  if (second.tag != Operand::Tag::kNumber) {
    const Dims strides = second.strides.empty() ? contiguous_strides(second.sizes) : second.strides;
    for (std::size_t d = 0; d < second.sizes.size(); ++d)
      if (second.sizes[d] != 1 && strides[d] != 0) return std::nullopt;
  }
  return refusal();
}

/// ldexp: an int64 exponent is cut to int32.
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

constexpr NamedModel<KnownModel> kModels[] = {
    {"unrounded_second_operand", &unrounded_second_operand},
    {"truncated_after_rounding", &truncated_after_rounding},
    {"false_is_not_zero", &false_is_not_zero},
    {"rounded_through_float32", &rounded_through_float32},
    {"operands_through_float32", &operands_through_float32},
    {"float16_nan_without_sign_in_the_tail", &float16_nan_without_sign_in_the_tail},
    {"e8m0_by_the_bits_of_float32", &e8m0_by_the_bits_of_float32},
    {"every_step_in_float16", &every_step_in_float16},
    {"alpha_in_the_dtype", &alpha_in_the_dtype},
    {"every_step_in_the_dtype", &every_step_in_the_dtype},
    {"lerp_in_the_vector_body", &lerp_in_the_vector_body},
    {"power_by_shortcut", &power_by_shortcut},
    {"glibc_powf", &glibc_powf},
    {"product_with_an_unrounded_power", &product_with_an_unrounded_power},
    {"poisson_loss_of_one_input", &poisson_loss_of_one_input},
    {"power_in_the_default_dtype", &power_in_the_default_dtype},
    {"activation_formula", &activation_formula},
    {"dropout_with_unrounded_factors", &dropout_with_unrounded_factors},
    {"gcd_with_a_sign", &gcd_with_a_sign},
    {"later_zero_in_the_vector_body", &later_zero_in_the_vector_body},
    {"selected_by_the_c_library", &selected_by_the_c_library},
    {"hypot_of_a_signalling_nan", &hypot_of_a_signalling_nan},
    {"nan_masked_in_the_vector_body", &nan_masked_in_the_vector_body},
    {"power_of_an_unrounded_exponent", &power_of_an_unrounded_exponent},
    {"isclose_with_an_unrounded_rtol", &isclose_with_an_unrounded_rtol},
    {"equal_to_itself_has_no_float8", &equal_to_itself_has_no_float8},
    {"alpha_negated_as_an_integer", &alpha_negated_as_an_integer},
    {"rrelu_slope_of_tensors", &rrelu_slope_of_tensors},
    {"rrelu_bounds_promote", &rrelu_bounds_promote},
    {"rrelu_in_place_of_infinite_bounds", &rrelu_in_place_of_infinite_bounds},
    {"scaled_in_the_compute_dtype", &scaled_in_the_compute_dtype},
    {"float8_product_with_one_element", &float8_product_with_one_element},
    {"exponent_cut_to_int32", &exponent_cut_to_int32},
    {"complex_formula", &complex_formula},
    {"bessel_i_by_exp", &bessel_i_by_exp},
    {"bessel_without_leading_ones", &bessel_without_leading_ones},
    {"airy_without_leading_ones", &airy_without_leading_ones},
    {"bessel_k_by_half", &bessel_k_by_half},
    {"digamma_reflected", &digamma_reflected},
    {"polygamma_in_factors", &polygamma_in_factors},
    {"zeta_after_cephes", &zeta_after_cephes},
    {"igamma_after_cephes", &igamma_after_cephes},
    {"mvlgamma_step_by_step", &mvlgamma_step_by_step},
    {"log_ndtr_of_a_rounded_argument", &log_ndtr_of_a_rounded_argument},
    {"polynomial_in_the_dtype", &polynomial_in_the_dtype},
    {"like_the_written_operand", &like_the_written_operand},
    {"as_with_a_whole_alpha", &as_with_a_whole_alpha},
    {"polynomial_by_fma", &polynomial_by_fma},
    {"erf_of_five_terms", &erf_of_five_terms},
    {"hyperbolic_by_whole_exp", &hyperbolic_by_whole_exp},
    {"lgamma_by_overflowing_product", &lgamma_by_overflowing_product}};

}  // namespace

KnownModel find_known_model(std::string_view name) { return find_model<KnownModel>(kModels, name); }

std::string known_model_names() { return names_of<KnownModel>(kModels); }

}  // namespace upcast
