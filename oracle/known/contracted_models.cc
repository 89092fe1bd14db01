// Models of LibTorch's vector kernels, which are compiled for FMA. The compiler contracts sums of
// products, so that they are rounded once where the scalar kernels round twice. Each element is
// what ATen's formula gives, contracted in one way or another (oracle/known/contraction.h).
#include <cmath>
#include <complex>
#include <concepts>
#include <numbers>
#include <string_view>
#include <type_traits>

#include "impl/ops/number_cast.h"
#include "oracle/known/contraction.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"
#include "oracle/known/nearest_answer.h"

namespace upcast::models {
namespace {

/// lerp of real numbers. For a small weight it is start + weight * (end - start). For a larger one,
/// a vector's body computes end + (end - start) * (weight - 1). The scalar code computes end - (end
/// - start) * (1 - weight), which gives zeros another sign.
template <class T>
T lerp(Contraction& way, T start, T end, T weight) {
  const T difference = end - start;
  if (std::abs(weight) < T(0.5)) return way.product_plus(weight, difference, start);
  return way.choose(2) == 0 ? way.product_plus(weight - 1, difference, end)
                            : way.product_plus(-difference, 1 - weight, end);
}

/// lerp of complex numbers. Any weight may take any of its three forms, because AVX-512's blend
/// takes the choice for each second element from its neighbour.
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

/// A complex quotient that still has to be multiplied: numerator * scale.
template <class T>
struct Quotient {
  Complex<T> numerator;
  T scale;
};

/// Divides complex numbers by Smith's method, as c10::complex does.
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

/// The power of z for an exponent that ATen has a shortcut for; nothing for any other exponent.
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

/// Computes the conjugate of (1 - y) * y, a factor of sigmoid's gradient.
template <class T>
Complex<T> conj_of_sigmoid_slope(Contraction& way, Complex<T> y) {
  const Complex<T> rest = Complex<T>{1, 0} - y;
  const T re = way.sum_of_products(rest.re, y.re, -rest.im, y.im);
  return {re, way.minus_sum_of_products(rest.re, y.im, rest.im, y.re)};
}

/// Computes the conjugate of 1 - y * y, a factor of tanh's gradient.
template <class T>
Complex<T> conj_of_tanh_slope(Contraction& way, Complex<T> y) {
  const T re = 1 - way.sum_of_products(y.re, y.re, -y.im, y.im);
  const T im = way.choose(2) == 0 ? 0 - way.sum_of_products(y.re, y.im, y.im, y.re)
                                  : way.minus_sum_of_products(y.re, y.im, y.im, y.re);
  return {re, -im};
}

/// Computes dy * s * (1 + x * (1 - s)), the gradient of silu, where s is the logistic function of
/// x.
template <class T>
Complex<T> silu_slope(Contraction& way, Complex<T> dy, Complex<T> x) {
  const Complex<T> one{1, 0};
  const Complex<T> negative = way.choose(2) == 0 ? -x : Complex<T>{} - x;
  const std::complex<T> power = std::exp(std::complex<T>(negative.re, negative.im));
  const Complex<T> s = value(divide(way, one, one + Complex<T>{power.real(), power.imag()}));
  const Complex<T> slope = one + way.product(x, one - s);
  return way.product(way.product(dy, s), slope);
}

/// The number -alpha, by which ATen turns a subtraction into an addition. It is negated before it
/// is converted.
template <class T>
T negated(const Number& number) {
  const T value = number_to<T>(number);
  if constexpr (kIsComplex<T>)
    return {-value.re, is_complex(number.dtype()) ? -value.im : 0};
  else
    return -value;
}

template <class T>
T times(Contraction&, T a, T b) {
  return a * b;
}
template <class T>
Complex<T> times(Contraction& way, Complex<T> a, Complex<T> b) {
  return way.product(a, b);
}
template <class T>
T plus_product(Contraction& way, T sum, T a, T b) {
  return way.product_plus(a, b, sum);
}
template <class T>
Complex<T> plus_product(Contraction& way, Complex<T> sum, Complex<T> a, Complex<T> b) {
  return sum + way.product(a, b);
}

template <class V>
V attribute(const Case& c, std::string_view name) {
  return number_to<V>(number_of(c, name));
}

// One formula for each op, over one element of each operand. The types of its parameters say for
// which dtypes it holds.

constexpr auto kAdd = []<class V>(Contraction& way, const Case& c, V x, V y, V) {
  return plus_product(way, x, attribute<V>(c, "alpha"), y);
};
constexpr auto kSubtract = []<class V>(Contraction& way, const Case& c, V x, V y, V) {
  return plus_product(way, x, negated<V>(number_of(c, "alpha")), y);
};
constexpr auto kLerp = []<class V>(Contraction& way, const Case& c, V x, V y, V weight) {
  const bool scalar = c.schema().parameters[2].type == ParameterType::kScalar;
  return lerp(way, x, y, scalar ? attribute<V>(c, "weight") : weight);
};
constexpr auto kAddcmul = []<class V>(Contraction& way, const Case& c, V x, V y, V z) {
  return plus_product(way, x, times(way, attribute<V>(c, "value"), y), z);
};
constexpr auto kLogaddexp2 = []<std::floating_point T>(Contraction& way, const Case&, T x, T y, T) {
  const T power = std::exp2(-std::abs(x - y));
  return way.product_plus(std::log1p(power), std::numbers::log2e_v<T>, std::max(x, y));
};

template <class T>
using Z = Complex<T>;

constexpr auto kAddcdiv = []<class T>(Contraction& way, const Case& c, Z<T> x, Z<T> y, Z<T> z) {
  return plus(way, divide(way, way.product(attribute<Z<T>>(c, "value"), y), z), x);
};
constexpr auto kMul = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T> y, Z<T>) {
  return way.product(x, y);
};
constexpr auto kDiv = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T> y, Z<T>) {
  return value(divide(way, x, y));
};
constexpr auto kReciprocal = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T>, Z<T>) {
  return value(divide(way, Z<T>{1, 0}, x));
};
constexpr auto kSquare = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T>, Z<T>) {
  return power(way, x, 2);
};
constexpr auto kRsqrt = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T>, Z<T>) {
  return power(way, x, -0.5);
};
constexpr auto kPower = []<class T>(Contraction& way, const Case& c, Z<T> x, Z<T>, Z<T>) {
  return power(way, x, number_to<double>(c.arguments[1].number));
};
constexpr auto kLdexp = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T> y, Z<T>) {
  const auto power = std::pow(std::complex<T>(2), std::complex<T>(y.re, y.im));
  return way.product(x, Z<T>{power.real(), power.imag()});
};
constexpr auto kSinc = []<class T>(Contraction& way, const Case&, Z<T> x, Z<T>, Z<T>) {
  return sinc(way, x);
};
constexpr auto kSigmoidBackward = []<class T>(Contraction& way, const Case&, Z<T> dy, Z<T> y,
                                              Z<T>) {
  return way.product(dy, conj_of_sigmoid_slope(way, y));
};
constexpr auto kTanhBackward = []<class T>(Contraction& way, const Case&, Z<T> dy, Z<T> y, Z<T>) {
  return way.product(dy, conj_of_tanh_slope(way, y));
};
constexpr auto kSiluBackward = []<class T>(Contraction& way, const Case&, Z<T> dy, Z<T> x, Z<T>) {
  return silu_slope(way, dy, x);
};
constexpr auto kDropoutBackward = []<class T>(Contraction& way, const Case& c, Z<T> dy, Z<T> mask,
                                              Z<T>) {
  return way.product(way.product(dy, mask), attribute<Z<T>>(c, "scale"));
};

template <auto kFormula>
std::optional<Answer> contracted(const Case& c, const Answer& right, const Answer& answer) {
  // A composition has no common dtype. Its last step is a product in the result dtype.
  const Outcome<Promoted> promoted = promote_case(c);
  const DType common = promoted.ok() ? promoted.value().common : right.dtype;
  const auto in = [&]<class V>(V) -> std::optional<Answer> {
    if constexpr (!std::is_invocable_v<decltype(kFormula), Contraction&, const Case&, V, V, V>)
      return std::nullopt;
    else
      return nearest<V>(c, common, right, answer, [&c](Contraction& way, const auto& x, auto i) {
        return kFormula(way, c, x.at(0, i), x.at(1, i), x.at(2, i));
      });
  };
  if (common == DType::kFloat64) return in(double{});
  if (common == DType::kComplex128) return in(Complex<double>{});
  if (kComplexes.contains(common)) return in(Complex<float>{});
  if (kFloats.contains(common)) return in(float{});
  return std::nullopt;
}

/// A complex power whose exponent is a real number.
std::optional<Answer> contracted_power(const Case& c, const Answer& right, const Answer& answer) {
  const Operand& exponent = c.arguments[1];
  if (exponent.tag != Operand::Tag::kNumber || number_to<Complex<double>>(exponent.number).im != 0)
    return std::nullopt;
  return contracted<kPower>(c, right, answer);
}

}  // namespace

ModelRows contracted_models() {
  return {
      {"contracted", {"add"}, contracted<kAdd>},
      {"contracted", {"sub", "rsub"}, contracted<kSubtract>},
      {"contracted", {"addcmul"}, contracted<kAddcmul>},
      {"contracted", {"lerp"}, contracted<kLerp>},
      {"contracted", {"logaddexp2"}, contracted<kLogaddexp2>},
      {"contracted", {"mul"}, contracted<kMul>},
      {"contracted", {"div"}, contracted<kDiv>},
      {"contracted", {"reciprocal"}, contracted<kReciprocal>},
      {"contracted", {"square"}, contracted<kSquare>},
      {"contracted", {"pow", "float_power"}, contracted_power},
      {"contracted", {"rsqrt"}, contracted<kRsqrt>},
      {"contracted", {"addcdiv"}, contracted<kAddcdiv>},
      {"contracted", {"sinc"}, contracted<kSinc>},
      {"contracted", {"ldexp"}, contracted<kLdexp>},
      {"contracted", {"sigmoid_backward"}, contracted<kSigmoidBackward>},
      {"contracted", {"tanh_backward"}, contracted<kTanhBackward>},
      {"contracted", {"silu_backward"}, contracted<kSiluBackward>},
      {"contracted", {"native_dropout_backward"}, contracted<kDropoutBackward>},
  };
}

}  // namespace upcast::models
