#include "oracle/known/complex_models.h"

#include <cmath>
#include <complex>
#include <limits>
#include <string_view>
#include <vector>

#include "impl/ops/arithmetic.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"

namespace upcast {
namespace {

using namespace models;

template <class T>
Complex<T> of_standard(std::complex<T> z) {
  return {z.real(), z.imag()};
}
template <class T>
std::complex<T> standard(Complex<T> z) {
  return {z.re, z.im};
}
template <class T>
Complex<T> exp(Complex<T> z) {
  return of_standard(std::exp(standard(z)));
}
template <class T>
Complex<T> log(Complex<T> z) {
  return of_standard(std::log(standard(z)));
}
template <class T>
Complex<T> sqrt(Complex<T> z) {
  return of_standard(std::sqrt(standard(z)));
}
template <class T>
Complex<T> pow(Complex<T> z, Complex<T> exponent) {
  return of_standard(std::pow(standard(z), standard(exponent)));
}
template <class T>
bool is_nan(Complex<T> z) {
  return std::isnan(z.re) || std::isnan(z.im);
}

/// z divided by log(1 + z) / z's own rounding error: what is lost in 1 + z is put back.
template <class T>
Complex<T> log1p(Complex<T> z) {
  const Complex<T> sum{z.re + 1, z.im};
  if (sum == Complex<T>{1, 0}) return z;
  const Complex<T> rest{sum.re - 1, sum.im};
  return rest == z ? log(sum) : log(sum) * internal::divide(z, rest);
}

template <class T>
Complex<T> expm1(Complex<T> z) {
  const T sine = std::sin(z.im / 2);
  return {std::expm1(z.re) * std::cos(z.im) - T(2) * sine * sine, std::exp(z.re) * std::sin(z.im)};
}

template <class T>
Complex<T> sinc(Complex<T> z) {
  if (z == Complex<T>{}) return {1, 0};
  const Complex<T> product = Complex<T>{static_cast<T>(3.14159265358979323846), 0} * z;
  return internal::divide(of_standard(std::sin(standard(product))), product);
}

template <class T>
Complex<T> function(std::string_view op, Complex<T> z) {
  constexpr T kLn2 = static_cast<T>(0.693147180559945309417);
  const Complex<T> one{1, 0};
  if (op == "sgn") {
    const Complex<T> modulus{std::hypot(z.re, z.im), 0};
    return z == Complex<T>{} ? Complex<T>{} : internal::divide(z, modulus);
  }
  if (op == "exp2") return exp(Complex<T>{kLn2 * z.re, kLn2 * z.im});
  if (op == "sinc") return sinc(z);
  if (op == "rsqrt") return internal::divide(one, sqrt(z));
  if (op == "log1p") return log1p(z);
  if (op == "log2") return internal::divide(log(z), Complex<T>{kLn2, 0});
  if (op == "expm1") return expm1(z);
  if (op == "silu") return internal::divide(z, one + exp(-z));
  return internal::divide(one, one + exp(-z));  // sigmoid
}

template <class T>
Complex<T> silu_backward(Complex<T> grad, Complex<T> z) {
  const Complex<T> one{1, 0};
  const Complex<T> sigmoid = internal::divide(one, one + exp(-z));
  return grad * sigmoid * (one + z * (one - sigmoid));
}

/// NaN in either operand makes both parts NaN; terms with infinite real parts are exponentiated.
template <class T>
Complex<T> logaddexp(Complex<T> x, Complex<T> y) {
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  if (is_nan(x) || is_nan(y)) return {kNaN, kNaN};
  const Complex<T> low = x.re < y.re ? x : y;
  const Complex<T> high = x.re < y.re ? y : x;
  if (!std::isfinite(low.re) && low.re == high.re)
    return low.re < 0 ? low : log(exp(low) + exp(high));
  return log1p(exp(low - high)) + high;
}

/// pow with an exponent that is a number: ATen has shortcuts for some of them, as they are given,
/// and for others after rounding.
template <class T>
Complex<T> power_of_number(Complex<T> z, Complex<double> given, Complex<T> exponent) {
  const Complex<T> one{1, 0};
  const auto is_given = [given](double real) { return given == Complex<double>{real, 0}; };
  if (is_given(0.5)) return sqrt(z);
  if (is_given(-0.5)) return internal::divide(one, sqrt(z));
  if (is_given(-1)) return internal::divide(one, z);
  if (exponent == Complex<T>{2, 0}) return z * z;
  if (exponent == Complex<T>{3, 0}) return z * z * z;
  if (exponent == Complex<T>{-2, 0}) return internal::divide(one, z * z);
  return pow(z, exponent);
}

/// The argument of a Scalar parameter, not rounded yet.
std::optional<Complex<double>> scalar_of(const Case& c, std::size_t argument) {
  if (c.schema().parameters[argument].type != ParameterType::kScalar) return std::nullopt;
  return number_to<Complex<double>>(c.arguments[argument].number);
}

template <class T>
Complex<T> power(const Case& c, Complex<T> base, Complex<T> exponent) {
  const Complex<double> zero{0, 0}, one{1, 0};
  const std::optional<Complex<double>> given = scalar_of(c, 1);
  if (scalar_of(c, 0) == one || given == zero) return {1, 0};
  if (given == one) return base;
  return given ? power_of_number(base, *given, exponent) : pow(base, exponent);
}

/// The common dtype of 2 ** other within ldexp.
std::optional<DType> power_dtype(const Case& c) {
  const DType self = dtype_of(c.arguments[0]);
  const bool number = is_integral(self) || is_bool(self) || self == DType::kFloat32;
  Case power = c;
  const FoundOp found = find_callable(number ? "pow.Scalar" : "pow.Tensor_Tensor");
  power.op = found.op;
  power.overload = found.overload;
  power.form = Form::kFunctional;
  power.out = {};
  power.arguments[0] = number ? Operand{.tag = Operand::Tag::kNumber, .number = Number(2.0)}
                              : Operand{.tag = Operand::Tag::kTensor, .dtype = self};
  const Outcome<Promoted> promoted = promote_case(power);
  if (!promoted.ok()) return std::nullopt;
  return promoted.value().common;
}

DType full_complex(DType dtype) { return dtype == DType::kComplex128 ? dtype : DType::kComplex64; }

template <class T>
constexpr DType kComplexOf = sizeof(T) == 4 ? DType::kComplex64 : DType::kComplex128;

/// 2 ** other, in T, as another complex type.
template <class T, class Wide>
std::vector<Complex<Wide>> powers_of_two(const Case& c, DType dtype, const Dims& sizes) {
  std::vector<Complex<Wide>> results;
  for (const Complex<T> exponent : loop_values<Complex<T>>(c, 1, sizes, dtype, kComplexOf<T>)) {
    const Complex<T> power = pow(Complex<T>{2, 0}, exponent);
    results.push_back({static_cast<Wide>(power.re), static_cast<Wide>(power.im)});
  }
  return results;
}

template <class T>
std::optional<std::vector<Complex<T>>> evaluate(const Case& c, DType common, const Dims& sizes) {
  const std::string_view op = c.op->spec->name;
  const int first = c.schema().find(c.op->spec->operands[0]);
  auto values = loop_values<Complex<T>>(c, first, sizes, common, kComplexOf<T>);
  if (c.op->spec->operands[1].empty()) {
    for (Complex<T>& z : values) z = function(op, z);
    return values;
  }
  if (op == "ldexp") {
    const std::optional<DType> dtype = power_dtype(c);
    if (!dtype) return std::nullopt;
    const auto powers = full_complex(*dtype) == DType::kComplex64
                            ? powers_of_two<float, T>(c, *dtype, sizes)
                            : powers_of_two<double, T>(c, *dtype, sizes);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * powers[i];
    return values;
  }
  const auto others = loop_values<Complex<T>>(c, 1, sizes, common, kComplexOf<T>);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = op == "logaddexp"       ? logaddexp(values[i], others[i])
                : op == "silu_backward" ? silu_backward(values[i], others[i])
                                        : power(c, values[i], others[i]);
  return values;
}

/// Of the op's last step.
std::optional<DType> common_of(const Case& c) {
  if (c.op->spec->name != "ldexp") {
    const Outcome<Promoted> promoted = promote_case(c);
    if (!promoted.ok()) return std::nullopt;
    return promoted.value().common;
  }
  const std::optional<DType> power = power_dtype(c);
  if (!power) return std::nullopt;
  Case product = c;
  product.arguments[1] = {.tag = Operand::Tag::kTensor,
                          .dtype = *power,
                          .sizes = c.arguments[1].sizes};  // of a number: zero-dim
  const FoundOp found = find_callable("mul.Tensor");
  product.op = found.op;
  product.overload = found.overload;
  product.form = Form::kFunctional;
  product.out = {};
  product.arguments.resize(2);
  const Outcome<Promoted> promoted = promote_case(product);
  if (!promoted.ok()) return std::nullopt;
  return promoted.value().common;
}

}  // namespace

std::optional<Answer> complex_formula(const Case& c, const Answer& right) {
  const std::optional<DType> common = common_of(c);
  if (!common || !is_complex(*common)) return std::nullopt;
  if (full_complex(*common) == DType::kComplex128) {
    const auto values = evaluate<double>(c, *common, right.sizes);
    if (!values) return std::nullopt;
    return with_values(right, *common, cast(DType::kComplex128, bytes_of(*values), *common));
  }
  const auto values = evaluate<float>(c, *common, right.sizes);
  if (!values) return std::nullopt;
  return with_values(right, *common, cast(DType::kComplex64, bytes_of(*values), *common));
}

}  // namespace upcast
