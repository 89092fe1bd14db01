#include "oracle/host/special_models.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "cases/values.h"
#include "impl/core/element.h"
#include "impl/math/airy.h"
#include "impl/math/bessel_i.h"
#include "impl/math/bessel_jy.h"
#include "impl/math/bessel_k.h"
#include "impl/math/incomplete_gamma.h"
#include "impl/math/integer_division.h"
#include "impl/math/lgamma.h"
#include "impl/math/zeta.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/host/model_values.h"

namespace upcast {

using namespace models;

namespace {

/// The values of a unary function's operand, by a function of it, computed in T.
template <class T, class F>
Answer mapped(const Case& c, const Answer& right, DType common, F f) {
  const int at = c.schema().find(c.op->spec->operands[0]);  // attributes may stand before it
  const Bytes rounded = cast(dtype_of(c.arguments[at]), seen_values(c, at), common);
  constexpr DType kCompute = sizeof(T) == 4 ? DType::kFloat32 : DType::kFloat64;
  std::vector<T> values = elements<T>(common, rounded, kCompute);
  for (T& value : values) value = static_cast<T>(f(value));
  return with_values(right, common, cast(kCompute, bytes_of(values), common));
}

}  // namespace

/// As above, in float64 for float64 and in float32 for float32 and the reduced dtypes.
template <class F>
std::optional<Answer> in_the_dtype(const Case& c, const Answer& right, F f) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  return common == DType::kFloat64 ? mapped<double>(c, right, common, f)
                                   : mapped<float>(c, right, common, f);
}

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::optional<Answer> bessel_i_by_exp(const Case& c, const Answer& right) {
  const std::string_view op = c.op->spec->name;
  const bool odd = op.find("i1") != op.npos;
  const bool scaled = op.ends_with('e');
  return in_the_dtype(c, right, [&]<class T>(T x) -> double {
    if (odd && x == 0) return 0;
    if (scaled) return odd ? bessel_i1e(x) : bessel_i0e(x);
    if (std::isinf(x)) return kNaN;
    if (std::isinf(std::exp(std::abs(x)))) return odd ? std::copysign(HUGE_VAL, x) : HUGE_VAL;
    return odd ? bessel_i1(x) : bessel_i0(x);
  });
}

std::optional<Answer> bessel_phase_in_the_dtype(const Case& c, const Answer& right) {
  const std::string_view op = c.op->spec->name;
  const bool first_order = op.ends_with('1');
  const bool second_kind = op.starts_with("special_bessel_y");
  return in_the_dtype(c, right, [&]<class T>(T x) -> double {
    const double size = std::abs(x);
    if (second_kind && !(x > 0)) return first_order ? bessel_y1(x) : bessel_y0(x);
    if (std::isinf(x)) return kNaN;
    const double j = first_order ? bessel_j1(size) : bessel_j0(size);
    const double y = size > 0 ? first_order ? bessel_y1(size) : bessel_y0(size) : 0;
    double error = 0;
    if (size > 5) {
      const double phase = first_order ? 2.35619449019234492885 : 0.78539816339744830962;
      const T turned = static_cast<T>(size) - static_cast<T>(phase);
      error = std::remainder((turned - size) + phase, 6.28318530717958647693);
    }
    if (second_kind) return error == 0 ? y : y * std::cos(error) + j * std::sin(error);
    const double value = error == 0 ? j : j * std::cos(error) - y * std::sin(error);
    return first_order && x < 0 ? -value : value;
  });
}

std::optional<Answer> airy_phase_in_the_dtype(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, [&]<class T>(T x) -> double {
    if (std::isinf(x)) return kNaN;
    if (!(x < -4)) return airy_ai(x);
    const T zeta = T(-2) * x * std::sqrt(-x) / T(3);
    if (std::isinf(zeta)) return kNaN;
    const T turned = zeta + T(0.25) * static_cast<T>(3.14159265358979323846);
    // airy_oscillating takes the angle without pi/4
    constexpr double kRootHalf = 0.70710678118654752440;
    const double sine = std::sin(static_cast<double>(turned));
    const double cosine = std::cos(static_cast<double>(turned));
    return internal::airy_oscillating(-x, internal::airy_zeta(-x).hi, (sine - cosine) * kRootHalf,
                                      (cosine + sine) * kRootHalf);
  });
}

namespace {

/// Six steps of the recurrence and three terms of the asymptotic series: good to 1e-9. At a pole
/// below 0 sin(pi x) is not 0.
template <class T>
T short_trigamma(T x) {
  constexpr T kPi = static_cast<T>(3.14159265358979323846);
  T sum = 0;
  const bool reflected = x < T(0.5);
  if (reflected) {
    const T sine = std::sin(kPi * x);
    sum -= kPi * kPi / (sine * sine);
    x = 1 - x;
  }
  for (int i = 0; i < 6; ++i, x += 1) sum += 1 / (x * x);
  const T square = 1 / (x * x);
  const T series = square * (T(1) / 6 - square * (T(1) / 30 - square * (T(1) / 42)));
  sum += (1 + 1 / (2 * x) + series) / x;
  return reflected ? -sum : sum;
}

}  // namespace

std::optional<Answer> polygamma_in_factors(const Case& c, const Answer& right) {
  const double n =
      static_cast<double>(number_to<std::int64_t>(c.arguments[c.schema().find("n")].number));
  const Outcome<Promoted> promoted = promote_case(c);
  if (n == 0 || !promoted.ok()) return std::nullopt;
  const bool reduced = is_reduced(promoted.value().common);  // then zeta is computed in float32
  return in_the_dtype(c, right, [n, reduced]<class T>(T x) -> double {
    if (n == 1) return short_trigamma(x);
    if (reduced && std::pow(static_cast<float>(x), -static_cast<float>(n + 1)) == 0)
      return std::isinf(x) ? kNaN : std::fmod(n, 2) == 0 ? -0.0 : 0.0;
    const T factorial = std::exp(static_cast<T>(lgamma(n + 1)));
    const bool at_infinity = std::isinf(x) && x > 0;
    const T zeta = static_cast<T>(at_infinity ? kNaN : hurwitz_zeta(n + 1, x));
    return (std::fmod(n, 2) == 0 ? -factorial : factorial) * zeta;
  });
}

std::optional<Answer> bessel_k_by_half(const Case& c, const Answer& right) {
  const std::string_view op = c.op->spec->name;
  const bool scaled = op.starts_with("special_scaled");
  const bool order_1 = op.ends_with('1');
  return in_the_dtype(c, right, [&]<class T>(T x) -> double {
    const bool lost = x > 0 && (order_1 || scaled ? T(0.5) * x == 0 : 0.5 * x == 0);
    if (lost) return order_1 ? kNaN : HUGE_VAL;
    return order_1  ? scaled ? scaled_bessel_k1(x) : bessel_k1(x)
            : scaled ? scaled_bessel_k0(x)
                    : bessel_k0(x);
  });
}

/// Both operands of a real binary function, broadcast, as float64.
template <class F>
std::optional<Answer> mapped_pairs(const Case& c, const Answer& right, F f) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || c.arguments.size() != 2) return std::nullopt;
  const DType common = promoted.value().common;
  std::vector<double> operands[2];
  for (int i = 0; i < 2; ++i) {
    const Bytes values = cast(dtype_of(c.arguments[i]), seen_values(c, i), common);
    operands[i] = elements<double>(common, values, DType::kFloat64);
  }
  std::vector<double> results(right.bytes.size() / itemsize(right.dtype));
  const std::size_t n = results.size();
  // [n] with [n] or with one element; [a,1] with [b]
  const auto at = [n](const std::vector<double>& operand, std::size_t i, bool rows) {
    const std::size_t size = operand.size();
    return operand[size == 1 ? 0 : size == n ? i : rows ? i / (n / size) : i % size];
  };
  for (std::size_t i = 0; i < n; ++i)
    results[i] = f(common, at(operands[0], i, true), at(operands[1], i, false));
  return with_values(right, common, cast(DType::kFloat64, bytes_of(results), common));
}

std::optional<Answer> zeta_after_cephes(const Case& c, const Answer& right) {
  return mapped_pairs(c, right, [](DType common, double s, double q) -> double {
    if (s == 1) return HUGE_VAL;
    if (s < 1 || std::isnan(s) || std::isnan(q)) return kNaN;
    if (q <= 0 && (q == std::floor(q) || s != std::floor(s)))
      return q == std::floor(q) ? HUGE_VAL : kNaN;
    if (q < -1e6) return hurwitz_zeta(s, q);
    constexpr double kEpsilon = 1.11022302462515654e-16;
    const bool narrow = common == DType::kFloat32;
    double sum = std::pow(q, -s);
    if (narrow) sum = std::pow(static_cast<float>(q), -static_cast<float>(s));
    double w = q;
    double term = 0;
    for (int i = 0; i < 9 || w <= 9; ++i) {
      w += 1;
      term = std::pow(w, -s);
      sum += term;
      if (-kEpsilon * sum < term && term < kEpsilon * sum) return sum;
    }
    sum += term * w / (s - 1);
    sum -= term / 2;
    double factor = 1;
    double k = 0;
    // (2k)! / B_2k
    for (double a : {12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1307674368000.0 / 691,
                     74724249600.0, -10670622842880000.0 / 3617, 5109094217170944000.0 / 43867,
                     -802857662698291200000.0 / 174611}) {
      factor *= s + k;
      term /= w;
      const double part = factor * term / a;
      sum += part;
      if (std::abs(part / sum) < kEpsilon) break;
      factor *= s + ++k;
      term /= w;
      ++k;
    }
    return sum;
  });
}

std::optional<Answer> igamma_by_comparisons(const Case& c, const Answer& right) {
  const bool upper = c.op->spec->name == "igammac";
  return mapped_pairs(c, right, [upper](DType common, double a, double x) -> double {
    const double none = upper ? 1 : 0;
    if (x < 0 || a < 0) return kNaN;
    if (a == 0) return x > 0 ? 1 - none : kNaN;
    if (x == 0) return none;
    if (std::isinf(a)) return std::isinf(x) ? kNaN : none;
    if (std::isinf(x)) return 1 - none;
    const double largest = common == DType::kFloat64 ? std::numeric_limits<double>::max()
                                                     : std::numeric_limits<float>::max();
    if (std::abs(a - x) > 0.4 * a && lgamma(a) > largest && a * std::log(x) > largest) return kNaN;
    return upper ? igammac(a, x) : igamma(a, x);
  });
}

namespace {

double rounded(DType dtype, double value) {
  return elements<double>(dtype, cast(DType::kFloat64, bytes_of(std::vector{value}), dtype),
                          DType::kFloat64)[0];
}

}  // namespace

std::optional<Answer> mvlgamma_step_by_step(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  const std::int64_t p = number_to<std::int64_t>(c.arguments[c.schema().find("p")].number);
  return in_the_dtype(c, right, [&]<class T>(T x) -> double {
    constexpr double kLogPi = 1.14472988584940017414;
    double sum = 0;
    for (std::int64_t j = 0; j < p; ++j)
      sum += rounded(common, lgamma(rounded(common, x - static_cast<double>(j) / 2)));
    return sum + kLogPi * static_cast<double>(p * (p - 1)) / 4;
  });
}

}  // namespace upcast
