// LibTorch's vector kernels are compiled for FMA, and the compiler contracts: sums of products are
// rounded once where the scalar kernels round twice. Each element is what ATen's formula gives,
// contracted in one way or another (oracle/known/contraction.h).
#include <cmath>
#include <complex>
#include <numbers>
#include <type_traits>

#include "impl/ops/number_cast.h"
#include "oracle/known/contraction.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"
#include "oracle/known/nearest_answer.h"

namespace upcast::models {
namespace {

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

// The formulas of the ops: each gives, for a case and a compute type V, what nearest() takes.

template <bool kNegative, class V>
auto add_alpha(const Case& c, V) {
  const Number& number = number_of(c, "alpha");
  const V alpha = kNegative ? negated<V>(number) : number_to<V>(number);
  return [alpha](Contraction& way, const auto& x, auto i) -> V {
    if constexpr (kIsComplex<V>)
      return x.at(0, i) + way.product(alpha, x.at(1, i));
    else
      return way.product_plus(alpha, x.at(1, i), x.at(0, i));
  };
}
constexpr auto kAdd = [](const Case& c, auto v) { return add_alpha<false>(c, v); };
constexpr auto kSubtract = [](const Case& c, auto v) { return add_alpha<true>(c, v); };

constexpr auto kLerp = []<class V>(const Case& c, V) {
  const bool scalar = c.schema().parameters[2].type == ParameterType::kScalar;
  const V weight = scalar ? number_to<V>(number_of(c, "weight")) : V{};
  return [scalar, weight](Contraction& way, const auto& x, auto i) {
    return lerp(way, x.at(0, i), x.at(1, i), scalar ? weight : x.at(2, i));
  };
};

constexpr auto kAddcmul = []<class V>(const Case& c, V) {
  const V number = number_to<V>(number_of(c, "value"));
  return [number](Contraction& way, const auto& x, auto i) -> V {
    if constexpr (kIsComplex<V>)
      return x.at(0, i) + way.product(way.product(number, x.at(1, i)), x.at(2, i));
    else
      return way.product_plus(number * x.at(1, i), x.at(2, i), x.at(0, i));
  };
};

constexpr auto kLogaddexp2 = []<class T>(const Case&, T) {
  return [](Contraction& way, const auto& x, auto i) {
    const T power = std::exp2(-std::abs(x.at(0, i) - x.at(1, i)));
    const T larger = std::max(x.at(0, i), x.at(1, i));
    return way.product_plus(std::log1p(power), std::numbers::log2e_v<T>, larger);
  };
};

constexpr auto kAddcdiv = []<class Z>(const Case& c, Z) {
  const Z number = number_to<Z>(number_of(c, "value"));
  return [number](Contraction& way, const auto& x, auto i) {
    const Z product = way.product(number, x.at(1, i));
    return plus(way, divide(way, product, x.at(2, i)), x.at(0, i));
  };
};

constexpr auto kMul = [](const Case&, auto) {
  return
      [](Contraction& way, const auto& x, auto i) { return way.product(x.at(0, i), x.at(1, i)); };
};

constexpr auto kDiv = [](const Case&, auto) {
  return [](Contraction& way, const auto& x, auto i) {
    return value(divide(way, x.at(0, i), x.at(1, i)));
  };
};

constexpr auto kReciprocal = []<class Z>(const Case&, Z) {
  return [](Contraction& way, const auto& x, auto i) {
    return value(divide(way, Z{1, 0}, x.at(0, i)));
  };
};

auto to_the(double exponent) {
  return [exponent](Contraction& way, const auto& x, auto i) {
    return power(way, x.at(0, i), exponent);
  };
}
constexpr auto kSquare = [](const Case&, auto) { return to_the(2); };
constexpr auto kRsqrt = [](const Case&, auto) { return to_the(-0.5); };
constexpr auto kPower = [](const Case& c, auto) {
  return to_the(number_to<double>(c.arguments[1].number));
};

constexpr auto kLdexp = []<class T>(const Case&, Complex<T>) {
  return [](Contraction& way, const auto& x, auto i) {
    const Complex<T> exponent = x.at(1, i);
    const auto power = std::pow(std::complex<T>(2), std::complex<T>(exponent.re, exponent.im));
    return way.product(x.at(0, i), Complex<T>{power.real(), power.imag()});
  };
};

constexpr auto kSinc = [](const Case&, auto) {
  return [](Contraction& way, const auto& x, auto i) { return sinc(way, x.at(0, i)); };
};

constexpr auto kSigmoidBackward = [](const Case&, auto) {
  return [](Contraction& way, const auto& x, auto i) {
    return way.product(x.at(0, i), conj_of_sigmoid_slope(way, x.at(1, i)));
  };
};

constexpr auto kTanhBackward = [](const Case&, auto) {
  return [](Contraction& way, const auto& x, auto i) {
    return way.product(x.at(0, i), conj_of_tanh_slope(way, x.at(1, i)));
  };
};

constexpr auto kSiluBackward = [](const Case&, auto) {
  return [](Contraction& way, const auto& x, auto i) {
    return silu_slope(way, x.at(0, i), x.at(1, i));
  };
};

constexpr auto kDropoutBackward = []<class Z>(const Case& c, Z) {
  const Z scale = number_to<Z>(number_of(c, "scale"));
  return [scale](Contraction& way, const auto& x, auto i) {
    return way.product(way.product(x.at(0, i), x.at(1, i)), scale);
  };
};

/// Of dtypes that an op contracts nothing in.
constexpr std::nullptr_t kNothing = nullptr;

/// By the formula for the common dtype.
template <auto kReal, auto kComplex>
std::optional<Answer> contracted(const Case& c, const Answer& right, const Answer& answer) {
  // A composition has no common dtype; it ends in a product of the result's.
  const Outcome<Promoted> promoted = promote_case(c);
  const DType common = promoted.ok() ? promoted.value().common : right.dtype;
  const auto by = [&]<class F, class V>(const F& formula, V v) -> std::optional<Answer> {
    if constexpr (std::is_null_pointer_v<F>)
      return std::nullopt;
    else
      return nearest<V>(c, common, right, answer, formula(c, v));
  };
  if (common == DType::kFloat64) return by(kReal, double{});
  if (common == DType::kComplex128) return by(kComplex, Complex<double>{});
  if (kComplexes.contains(common)) return by(kComplex, Complex<float>{});
  if (kFloats.contains(common)) return by(kReal, float{});
  return std::nullopt;
}

/// A power by a real number.
std::optional<Answer> contracted_power(const Case& c, const Answer& right, const Answer& answer) {
  const Operand& exponent = c.arguments[1];
  if (exponent.tag != Operand::Tag::kNumber || number_to<Complex<double>>(exponent.number).im != 0)
    return std::nullopt;
  return contracted<kNothing, kPower>(c, right, answer);
}

}  // namespace

ModelRows contracted_models() {
  return {
      {"contracted", {"add"}, contracted<kAdd, kAdd>},
      {"contracted", {"sub", "rsub"}, contracted<kSubtract, kSubtract>},
      {"contracted", {"addcmul"}, contracted<kAddcmul, kAddcmul>},
      {"contracted", {"lerp"}, contracted<kLerp, kLerp>},
      {"contracted", {"logaddexp2"}, contracted<kLogaddexp2, kNothing>},
      {"contracted", {"mul"}, contracted<kNothing, kMul>},
      {"contracted", {"div"}, contracted<kNothing, kDiv>},
      {"contracted", {"reciprocal"}, contracted<kNothing, kReciprocal>},
      {"contracted", {"square"}, contracted<kNothing, kSquare>},
      {"contracted", {"pow", "float_power"}, contracted_power},
      {"contracted", {"rsqrt"}, contracted<kNothing, kRsqrt>},
      {"contracted", {"addcdiv"}, contracted<kNothing, kAddcdiv>},
      {"contracted", {"sinc"}, contracted<kNothing, kSinc>},
      {"contracted", {"ldexp"}, contracted<kNothing, kLdexp>},
      {"contracted", {"sigmoid_backward"}, contracted<kNothing, kSigmoidBackward>},
      {"contracted", {"tanh_backward"}, contracted<kNothing, kTanhBackward>},
      {"contracted", {"silu_backward"}, contracted<kNothing, kSiluBackward>},
      {"contracted", {"native_dropout_backward"}, contracted<kNothing, kDropoutBackward>},
  };
}

}  // namespace upcast::models
