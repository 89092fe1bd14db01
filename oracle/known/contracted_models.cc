#include "oracle/known/contracted_models.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <string_view>

#include "impl/ops/number_cast.h"
#include "oracle/known/contraction.h"
#include "oracle/known/model_values.h"
#include "oracle/known/nearest_answer.h"

namespace upcast {
namespace {

using namespace models;

/// start + weight * (end - start) for a small weight; for another end + (end - start) * (weight -
/// 1) in a vector's body, which gives zeros another sign than end - (end - start) * (1 - weight),
/// the scalar code.
template <class T>
T lerp(Contraction& way, T start, T end, T weight) {
  const T difference = end - start;
  if (std::abs(weight) < T(0.5)) return way.product_plus(weight, difference, start);
  return way.choose(2) == 0 ? way.product_plus(weight - 1, difference, end)
                            : way.product_plus(-difference, 1 - weight, end);
}

/// All three forms whatever the weight: AVX-512's blend takes the choice for each second element
/// from its neighbour.
template <class T>
Complex<T> lerp(Contraction& way, Complex<T> start, Complex<T> end, Complex<T> weight) {
  const Complex<T> difference = end - start;
  const Complex<T> one{1, 0};
  switch (way.choose(3)) {
    case 0:
      return start + way.product(weight, difference);
    case 1:
      return end + way.product(weight - one, difference);
    default:
      return end - way.product(difference, one - weight);
  }
}

/// A quotient before its last product, numerator * scale.
template <class T>
struct Quotient {
  Complex<T> numerator;
  T scale;
};

/// Smith's division, as c10::complex has it.
template <class T>
Quotient<T> divide(Contraction& way, Complex<T> a, Complex<T> b) {
  if (std::abs(b.re) >= std::abs(b.im)) {
    if (b.re == 0 && b.im == 0) return {{a.re / std::abs(b.re), a.im / std::abs(b.im)}, 1};
    const T ratio = b.im / b.re;
    const T scale = 1 / way.product_plus(b.im, ratio, b.re);
    const T re = way.product_plus(a.im, ratio, a.re);
    return {{re, way.product_plus(-a.re, ratio, a.im)}, scale};
  }
  const T ratio = b.re / b.im;
  const T scale = 1 / way.product_plus(b.re, ratio, b.im);
  const T re = way.product_plus(a.re, ratio, a.im);
  return {{re, way.product_plus(a.im, ratio, -a.re)}, scale};
}

template <class T>
Complex<T> value(const Quotient<T>& q) {
  return {q.numerator.re * q.scale, q.numerator.im * q.scale};
}

template <class T>
Complex<T> plus(Contraction& way, const Quotient<T>& q, Complex<T> c) {
  const T re = way.product_plus(q.numerator.re, q.scale, c.re);
  return {re, way.product_plus(q.numerator.im, q.scale, c.im)};
}

template <class T>
Complex<T> sinc(Contraction& way, Complex<T> z) {
  const Complex<T> product = way.product(Complex<T>{std::numbers::pi_v<T>, 0}, z);
  const std::complex<T> sine = std::sin(std::complex<T>(product.re, product.im));
  return value(divide(way, Complex<T>{sine.real(), sine.imag()}, product));
}

/// z to the power of a number that ATen has a shortcut for; nothing for another.
template <class T>
std::optional<Complex<T>> power(Contraction& way, Complex<T> z, double exponent) {
  const Complex<T> one{1, 0};
  if (exponent == 2) return way.product(z, z);
  if (exponent == 3) return way.product(way.product(z, z), z);
  if (exponent == -1) return value(divide(way, one, z));
  if (exponent == -2) return value(divide(way, one, way.product(z, z)));
  if (exponent != -0.5) return std::nullopt;
  const std::complex<T> root = std::sqrt(std::complex<T>(z.re, z.im));
  return value(divide(way, one, Complex<T>{root.real(), root.imag()}));
}

/// The conjugate of (1 - y) * y.
template <class T>
Complex<T> conj_of_sigmoid_slope(Contraction& way, Complex<T> y) {
  const Complex<T> rest = Complex<T>{1, 0} - y;
  const T re = way.sum_of_products(rest.re, y.re, -rest.im, y.im);
  return {re, way.minus_sum_of_products(rest.re, y.im, rest.im, y.re)};
}

/// The conjugate of 1 - y * y.
template <class T>
Complex<T> conj_of_tanh_slope(Contraction& way, Complex<T> y) {
  const T re = 1 - way.sum_of_products(y.re, y.re, -y.im, y.im);
  const T im = way.choose(2) == 0 ? 0 - way.sum_of_products(y.re, y.im, y.im, y.re)
                                  : way.minus_sum_of_products(y.re, y.im, y.im, y.re);
  return {re, -im};
}

/// dy * s * (1 + x * (1 - s)), s the logistic function of x.
template <class T>
Complex<T> silu_slope(Contraction& way, Complex<T> dy, Complex<T> x) {
  const Complex<T> one{1, 0};
  const Complex<T> negative = way.choose(2) == 0 ? -x : Complex<T>{} - x;
  const std::complex<T> power = std::exp(std::complex<T>(negative.re, negative.im));
  const Complex<T> s = value(divide(way, one, one + Complex<T>{power.real(), power.imag()}));
  const Complex<T> slope = one + way.product(x, one - s);
  return way.product(way.product(dy, s), slope);
}

/// -alpha of a subtraction: ATen adds -alpha * other, the number negated before it is converted.
template <class T>
T negated(const Number& number) {
  const T value = number_to<T>(number);
  if constexpr (kIsComplex<T>)
    return {-value.re, is_complex(number.dtype()) ? -value.im : 0};
  else
    return -value;
}

template <class T>
std::optional<Answer> real(const Case& c, DType common, const Answer& right, const Answer& answer) {
  const std::string_view op = c.op->spec->name;
  if (op == "add" || op == "sub" || op == "rsub") {
    const Number& number = number_of(c, "alpha");
    const T alpha = op == "add" ? number_to<T>(number) : negated<T>(number);
    return nearest<T>(c, common, right, answer, [alpha](Contraction& way, const auto& x, auto i) {
      return way.product_plus(alpha, x.at(1, i), x.at(0, i));
    });
  }
  if (op == "addcmul") {
    const T number = number_to<T>(number_of(c, "value"));
    return nearest<T>(c, common, right, answer, [number](Contraction& way, const auto& x, auto i) {
      return way.product_plus(number * x.at(1, i), x.at(2, i), x.at(0, i));
    });
  }
  if (op == "logaddexp2")
    return nearest<T>(c, common, right, answer, [](Contraction& way, const auto& x, auto i) {
      const T power = std::exp2(-std::abs(x.at(0, i) - x.at(1, i)));
      const T larger = std::max(x.at(0, i), x.at(1, i));
      return way.product_plus(std::log1p(power), std::numbers::log2e_v<T>, larger);
    });
  if (op != "lerp") return std::nullopt;
  const bool scalar = c.schema().parameters[2].type == ParameterType::kScalar;
  const T weight = scalar ? number_to<T>(number_of(c, "weight")) : T{};
  return nearest<T>(c, common, right, answer,
                    [scalar, weight](Contraction& way, const auto& x, auto i) {
                      return lerp(way, x.at(0, i), x.at(1, i), scalar ? weight : x.at(2, i));
                    });
}

template <class T>
std::optional<Answer> complex(const Case& c, DType common, const Answer& right,
                              const Answer& answer) {
  using Z = Complex<T>;
  const std::string_view op = c.op->spec->name;
  const Z one{1, 0};
  const auto given = [&](auto formula) { return nearest<Z>(c, common, right, answer, formula); };
  if (op == "add" || op == "sub" || op == "rsub") {
    const Number& number = number_of(c, "alpha");
    const Z alpha = op == "add" ? number_to<Z>(number) : negated<Z>(number);
    return given([alpha](Contraction& way, const auto& x, auto i) {
      return x.at(0, i) + way.product(alpha, x.at(1, i));
    });
  }
  if (op == "mul")
    return given([](Contraction& way, const auto& x, auto i) {
      return way.product(x.at(0, i), x.at(1, i));
    });
  if (op == "square" || op == "pow" || op == "float_power") {
    const bool number = op != "square" && c.arguments[1].tag == Operand::Tag::kNumber;
    if (op != "square" && !number) return std::nullopt;
    const auto exponent =
        number ? number_to<Complex<double>>(c.arguments[1].number) : Complex<double>{2, 0};
    if (exponent.im != 0) return std::nullopt;
    return given([exponent](Contraction& way, const auto& x, auto i) {
      return power(way, x.at(0, i), exponent.re);
    });
  }
  if (op == "ldexp")
    return given([](Contraction& way, const auto& x, auto i) {
      const Z exponent = x.at(1, i);
      const auto power = std::pow(std::complex<T>(2), std::complex<T>(exponent.re, exponent.im));
      return way.product(x.at(0, i), Z{power.real(), power.imag()});
    });
  if (op == "rsqrt")
    return given(
        [](Contraction& way, const auto& x, auto i) { return power(way, x.at(0, i), -0.5); });
  if (op == "sinc")
    return given([](Contraction& way, const auto& x, auto i) { return sinc(way, x.at(0, i)); });
  if (op == "div")
    return given([](Contraction& way, const auto& x, auto i) {
      return value(divide(way, x.at(0, i), x.at(1, i)));
    });
  if (op == "reciprocal")
    return given([one](Contraction& way, const auto& x, auto i) {
      return value(divide(way, one, x.at(0, i)));
    });
  if (op == "addcmul" || op == "addcdiv") {
    const Z number = number_to<Z>(number_of(c, "value"));
    const bool divides = op == "addcdiv";
    return given([number, divides](Contraction& way, const auto& x, auto i) {
      const Z product = way.product(number, x.at(1, i));
      return divides ? plus(way, divide(way, product, x.at(2, i)), x.at(0, i))
                     : x.at(0, i) + way.product(product, x.at(2, i));
    });
  }
  if (op == "lerp") {
    const bool scalar = c.schema().parameters[2].type == ParameterType::kScalar;
    const Z weight = scalar ? number_to<Z>(number_of(c, "weight")) : Z{};
    return given([scalar, weight](Contraction& way, const auto& x, auto i) {
      return lerp(way, x.at(0, i), x.at(1, i), scalar ? weight : x.at(2, i));
    });
  }
  if (op == "sigmoid_backward")
    return given([](Contraction& way, const auto& x, auto i) {
      return way.product(x.at(0, i), conj_of_sigmoid_slope(way, x.at(1, i)));
    });
  if (op == "tanh_backward")
    return given([](Contraction& way, const auto& x, auto i) {
      return way.product(x.at(0, i), conj_of_tanh_slope(way, x.at(1, i)));
    });
  if (op == "native_dropout_backward") {
    const Z scale = number_to<Z>(number_of(c, "scale"));
    return given([scale](Contraction& way, const auto& x, auto i) {
      return way.product(way.product(x.at(0, i), x.at(1, i)), scale);
    });
  }
  if (op == "silu_backward")
    return given([](Contraction& way, const auto& x, auto i) {
      return silu_slope(way, x.at(0, i), x.at(1, i));
    });
  return std::nullopt;
}

}  // namespace

std::optional<Answer> contracted(const Case& c, const Answer& right, const Answer& answer) {
  // A composition has no common dtype; it ends in a product of the result's.
  const Outcome<Promoted> promoted = promote_case(c);
  const DType common = promoted.ok() ? promoted.value().common : right.dtype;
  if (common == DType::kFloat64) return real<double>(c, common, right, answer);
  if (common == DType::kComplex128) return complex<double>(c, common, right, answer);
  if (kComplexes.contains(common)) return complex<float>(c, common, right, answer);
  if (kFloats.contains(common)) return real<float>(c, common, right, answer);
  return std::nullopt;
}

}  // namespace upcast
