// Models of LibTorch's functions of complex numbers where they are wrong: its formulas in its own
// precision. It rounds products before a function magnifies the error. An intermediate value that
// overflows stays infinite or becomes NaN.
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "cases/values.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

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

/// log(1 + z), corrected for the rounding error of 1 + z.
template <class T>
Complex<T> log1p(Complex<T> z) {
  const Complex<T> sum{z.re + 1, z.im};
  if (sum == Complex<T>{1, 0}) return z;
  const Complex<T> rest{sum.re - 1, sum.im};
  return rest == z ? log(sum) : log(sum) * divide(z, rest);
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
  return divide(of_standard(std::sin(standard(product))), product);
}

template <class T>
constexpr T kLn2 = static_cast<T>(0.693147180559945309417);

template <class T>
Complex<T> sgn(Complex<T> z) {
  const Complex<T> modulus{std::hypot(z.re, z.im), 0};
  return z == Complex<T>{} ? Complex<T>{} : divide(z, modulus);
}
template <class T>
Complex<T> exp2(Complex<T> z) {
  return exp(Complex<T>{kLn2<T> * z.re, kLn2<T> * z.im});
}
template <class T>
Complex<T> log2(Complex<T> z) {
  return divide(log(z), Complex<T>{kLn2<T>, 0});
}
template <class T>
Complex<T> reciprocal(Complex<T> z) {
  return divide(Complex<T>{1, 0}, z);
}
template <class T>
Complex<T> sigmoid(Complex<T> z) {
  return reciprocal(Complex<T>{1, 0} + exp(-z));
}

template <class T>
Complex<T> silu_backward(Complex<T> grad, Complex<T> z) {
  const Complex<T> one{1, 0};
  return grad * sigmoid(z) * (one + z * (one - sigmoid(z)));
}

/// logaddexp of complex numbers. A NaN in either operand makes both parts NaN. If a real part is
/// infinite, ATen still takes exp of the terms.
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

/// pow with a number as exponent. ATen has shortcuts for some numbers as they are given, and for
/// others after rounding.
template <class T>
Complex<T> power_of_number(Complex<T> z, Complex<double> given, Complex<T> exponent) {
  const Complex<T> one{1, 0};
  const auto is_given = [given](double real) { return given == Complex<double>{real, 0}; };
  if (is_given(0.5)) return sqrt(z);
  if (is_given(-0.5)) return divide(one, sqrt(z));
  if (is_given(-1)) return divide(one, z);
  if (exponent == Complex<T>{2, 0}) return z * z;
  if (exponent == Complex<T>{3, 0}) return z * z * z;
  if (exponent == Complex<T>{-2, 0}) return divide(one, z * z);
  return pow(z, exponent);
}

/// The number that the call gives for a parameter of type Scalar, before it is rounded; nothing if
/// the parameter is of another type.
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

/// The common dtype of 2 ** other, which is a step of ldexp.
std::optional<DType> power_dtype(const Case& c) {
  const DType self = dtype_of(c.arguments[0]);
  const bool number = is_integral(self) || is_bool(self) || self == DType::kFloat32;
  Case power = c;
  set_callable(power, number ? "pow.Scalar" : "pow.Tensor_Tensor");
  power.out = {};
  power.arguments[0] = number ? Operand{.tag = Operand::Tag::kNumber, .number = Number(2.0)}
                              : Operand{.tag = Operand::Tag::kTensor, .dtype = self};
  const Outcome<Promoted> promoted = promote_case(power);
  if (!promoted.ok()) return std::nullopt;
  return promoted.value().common;
}

template <class T>
constexpr DType kComplexOf = sizeof(T) == 4 ? DType::kComplex64 : DType::kComplex128;

/// The values of 2 ** other, computed in T, then converted to complex numbers of type Wide.
template <class T, class Wide>
std::vector<Complex<Wide>> powers_of_two(const Case& c, DType dtype, const Dims& sizes) {
  std::vector<Complex<Wide>> results;
  for (const Complex<T> exponent : loop_values<Complex<T>>(c, 1, sizes, dtype, kComplexOf<T>)) {
    const Complex<T> power = pow(Complex<T>{2, 0}, exponent);
    results.push_back({static_cast<Wide>(power.re), static_cast<Wide>(power.im)});
  }
  return results;
}

/// The common dtype of the product that ldexp ends with: self times a power of dtype `power`.
std::optional<DType> product_dtype(const Case& c, DType power) {
  Case product = c;
  product.arguments[1] = {.tag = Operand::Tag::kTensor,
                          .dtype = power,
                          .sizes = c.arguments[1].sizes};  // zero-dim if the argument is a number
  set_callable(product, "mul.Tensor");
  product.out = {};
  product.arguments.resize(2);
  return common_among(product, kComplexes);
}

/// Applies a function to the values of the first operand, in place. It computes in complex64 for
/// complex64 and complex32, and in complex128 for complex128.
template <class F>
Answer changed(const Case& c, const Answer& right, DType common, F change) {
  const auto in = [&]<class T>(T) {
    const int first = c.schema().find(c.op->spec->operands[0]);
    auto values = loop_values<Complex<T>>(c, first, right.sizes, common, kComplexOf<T>);
    change(values);
    return with_values(right, common, cast(kComplexOf<T>, bytes_of(values), common));
  };
  return common == DType::kComplex128 ? in(double{}) : in(float{});
}

template <auto kFunction>
std::optional<Answer> unary(const Case& c, const Answer& right) {
  const auto common = common_among(c, kComplexes);
  if (!common) return std::nullopt;
  return changed(c, right, *common, [](auto& values) {
    for (auto& z : values) z = kFunction(z);
  });
}

template <auto kFunction>
std::optional<Answer> binary(const Case& c, const Answer& right) {
  const auto common = common_among(c, kComplexes);
  if (!common) return std::nullopt;
  return changed(c, right, *common, [&]<class T>(std::vector<Complex<T>>& values) {
    const auto others = loop_values<Complex<T>>(c, 1, right.sizes, *common, kComplexOf<T>);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = kFunction(c, values[i], others[i]);
  });
}

std::optional<Answer> ldexp(const Case& c, const Answer& right) {
  const std::optional<DType> of_power = power_dtype(c);
  const auto common = of_power ? product_dtype(c, *of_power) : std::nullopt;
  if (!common) return std::nullopt;
  return changed(c, right, *common, [&]<class T>(std::vector<Complex<T>>& values) {
    const auto powers = *of_power == DType::kComplex128
                            ? powers_of_two<double, T>(c, *of_power, right.sizes)
                            : powers_of_two<float, T>(c, *of_power, right.sizes);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * powers[i];
  });
}

/// add, sub and rsub of complex numbers: ATen converts a real alpha to the common dtype, which is
/// complex, and multiplies complex numbers. kFactor: the number of the operand that alpha
/// multiplies.
template <bool kNegative, int kFactor>
std::optional<Answer> alpha_as_a_complex_number(const Case& c, const Answer& right) {
  const auto common = common_among(c, kComplexes);
  if (!common) return std::nullopt;
  const Number alpha = kNegative ? negated_as_scalar(number_of(c, "alpha")) : number_of(c, "alpha");
  return changed(c, right, *common, [&]<class T>(std::vector<Complex<T>>& values) {
    const auto first = loop_values<Complex<T>>(c, 0, right.sizes, *common, kComplexOf<T>);
    const auto second = loop_values<Complex<T>>(c, 1, right.sizes, *common, kComplexOf<T>);
    const auto scale = number_to<Complex<T>>(alpha);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = kFactor == 1 ? first[i] + scale * second[i] : second[i] + scale * first[i];
  });
}

/// Our implementation's answer to a call with these operands instead of the case's.
Answer step(std::string_view callable, std::vector<Operand> operands) {
  Case c;
  set_callable(c, callable);
  c.arguments = std::move(operands);
  c.arguments.resize(c.schema().parameters.size());
  return ours_of(c);
}

/// An operand of a call with its values written out, so that another call can take it.
Operand spelled(const Case& c, std::string_view parameter) {
  const int position = c.schema().find(parameter);
  Operand operand = c.arguments[position];
  if (operand.tag != Operand::Tag::kTensor) return operand;
  return {.tag = Operand::Tag::kTensor,
          .dtype = operand.dtype,
          .sizes = operand.sizes,
          .values = operand_values(c, position)};
}

Operand as_operand(const Answer& answer) {
  return {.tag = Operand::Tag::kTensor,
          .dtype = answer.dtype,
          .sizes = answer.sizes,
          .values = answer.bytes};
}

Operand as_operand(const Number& number) {
  return {.tag = Operand::Tag::kNumber, .number = number};
}

/// Computes a + alpha * b of complex numbers as LibTorch does. Our implementation multiplies in
/// this way only if alpha is complex itself.
Answer sum(const Operand& a, const Operand& b, double alpha) {
  const bool is_real = !is_complex(dtype_of(a)) && !is_complex(dtype_of(b));
  const Number factor = is_real ? Number(alpha) : Number(Complex<double>{alpha, 0});
  return step("add.Tensor", {a, b, as_operand(factor)});
}

std::optional<Answer> l1_loss_by_a_complex_alpha(const Case& c, const Answer&) {
  const Answer difference = sum(spelled(c, "self"), spelled(c, "target"), -1);
  if (difference.tag != Answer::Tag::kTensor) return std::nullopt;
  return step("abs", {as_operand(difference)});
}

/// Stirling's approximation of log(target!) where target > 1, else 0. It is real, so no complex
/// alpha changes it.
Answer stirling_term(const Operand& target) {
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  const auto call = [](std::string_view callable, std::vector<Operand> operands) {
    return as_operand(step(callable, std::move(operands)));
  };
  const Operand product = call("mul.Tensor", {target, call("log", {target})});
  const Operand leading = call("sub.Tensor", {product, target});
  const Operand circle = call("log", {call("mul.Scalar", {target, as_operand(Number(kTwoPi))})});
  const Operand half = call("mul.Scalar", {circle, as_operand(Number(0.5))});
  const Operand term = call("add.Tensor", {leading, half});
  const Operand small = call("le.Scalar", {target, as_operand(Number(1))});
  return step("where.ScalarSelf", {small, as_operand(Number(0)), term});
}

std::optional<Answer> poisson_nll_loss_by_a_complex_alpha(const Case& c, const Answer& right) {
  // The model gives no answer if one of its steps is refused.
  if (right.tag != Answer::Tag::kTensor) return std::nullopt;
  const Operand input = spelled(c, "input"), target = spelled(c, "target");
  Answer first = step("clone", {input}), factor = first;
  if (number_to<bool>(number_of(c, "log_input"))) {
    first = step("exp", {input});
  } else {
    factor = sum(input, spelled(c, "eps"), 1);
    if (factor.tag == Answer::Tag::kTensor) factor = step("log", {as_operand(factor)});
  }
  if (first.tag != Answer::Tag::kTensor || factor.tag != Answer::Tag::kTensor) return std::nullopt;
  const Answer product = step("mul.Tensor", {target, as_operand(factor)});
  if (product.tag != Answer::Tag::kTensor) return std::nullopt;
  const Answer loss = sum(as_operand(first), as_operand(product), -1);
  if (!number_to<bool>(number_of(c, "full")) || loss.tag != Answer::Tag::kTensor) return loss;
  return sum(as_operand(loss), as_operand(stirling_term(target)), 1);
}

constexpr auto kLogaddexp = [](const Case&, auto x, auto y) { return logaddexp(x, y); };
constexpr auto kSiluBackward = [](const Case&, auto dy, auto z) { return silu_backward(dy, z); };
constexpr auto kPower = [](const Case& c, auto x, auto y) { return power(c, x, y); };

template <auto kFunction>
ModelRow of_one_operand(std::string_view op) {
  return {"complex_formula", {op}, unary<kFunction>};
}

}  // namespace

std::optional<Answer> complex_formula(const Case& c, const Answer& right) {
  return find_known_model("complex_formula")->answer(c, right);
}

ModelRows complex_models() {
  return {
      of_one_operand<[](auto z) { return sgn(z); }>("sgn"),
      of_one_operand<[](auto z) { return exp2(z); }>("exp2"),
      of_one_operand<[](auto z) { return sinc(z); }>("sinc"),
      of_one_operand<[](auto z) { return reciprocal(sqrt(z)); }>("rsqrt"),
      of_one_operand<[](auto z) { return log1p(z); }>("log1p"),
      of_one_operand<[](auto z) { return log2(z); }>("log2"),
      of_one_operand<[](auto z) { return expm1(z); }>("expm1"),
      of_one_operand<[](auto z) { return sigmoid(z); }>("sigmoid"),
      of_one_operand<[]<class T>(Complex<T> z) {
        return divide(z, Complex<T>{1, 0} + exp(-z));
      }>("silu"),
      {"complex_formula", {"silu_backward"}, binary<kSiluBackward>},
      {"complex_formula", {"logaddexp"}, binary<kLogaddexp>},
      {"complex_formula", {"pow", "float_power"}, binary<kPower>},
      {"complex_formula", {"ldexp"}, ldexp},
      {"alpha_as_a_complex_number", {"add"}, alpha_as_a_complex_number<false, 1>},
      {"alpha_as_a_complex_number", {"sub"}, alpha_as_a_complex_number<true, 1>},
      {"alpha_as_a_complex_number", {"rsub"}, alpha_as_a_complex_number<true, 0>},
      {"alpha_as_a_complex_number", {"l1_loss"}, l1_loss_by_a_complex_alpha},
      {"alpha_as_a_complex_number", {"poisson_nll_loss"}, poisson_nll_loss_by_a_complex_alpha},
  };
}

}  // namespace upcast::models
