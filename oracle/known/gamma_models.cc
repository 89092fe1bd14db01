// Models of LibTorch's gamma, zeta, incomplete gamma and normal distribution functions where they
// are wrong: its own formulas, evaluated as it writes them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "impl/math/erfcx.h"
#include "impl/ops/number_cast.h"
#include "oracle/known/incomplete_gamma_model.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_maps.h"

namespace upcast::models {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// digamma: the recurrence up to 10, then seven terms of the asymptotic series, in T.
template <class T>
T digamma(T x) {
  if (x == 0) return std::copysign(std::numeric_limits<T>::infinity(), -x);
  if (x < 0) {
    if (x == std::trunc(x)) return std::numeric_limits<T>::quiet_NaN();
    double whole;
    const double rest = std::modf(static_cast<double>(x), &whole);
    return digamma(1 - x) - static_cast<T>(kPi / std::tan(kPi * rest));
  }
  T sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  if (x == 10) return sum + static_cast<T>(2.25175258906672110764);
  T series = 0;
  if (x < static_cast<T>(1.0e17)) {
    const T square = 1 / (x * x);
    for (double b :
         {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12})
      series = series * square + static_cast<T>(b);
    series *= square;
  }
  return sum + std::log(x) - T(0.5) / x - series;
}

/// trigamma: ATen takes six steps of the recurrence, then three terms of the asymptotic series,
/// with an error of 1e-9. At a pole below 0 its sin(pi x) is not 0.
template <class T>
T short_trigamma(T x) {
  T sum = 0;
  const bool reflected = x < T(0.5);
  if (reflected) {
    const T pi = static_cast<T>(kPi);
    const T sine = std::sin(pi * x);
    sum -= pi * pi / (sine * sine);
    x = 1 - x;
  }
  for (int i = 0; i < 6; ++i, x += 1) sum += 1 / (x * x);
  const T square = 1 / (x * x);
  const T series = square * (T(1) / 6 - square * (T(1) / 30 - square * (T(1) / 42)));
  sum += (1 + 1 / (2 * x) + series) / x;
  return reflected ? -sum : sum;
}

/// zeta(s, q) in the dtype, by Euler and Maclaurin's formula. It is summed in Sum: float for the
/// reduced dtypes, else double. A q below -10^6 would take very many steps, but no grid has one.
template <class T, class Sum>
double cephes_zeta(T s, T q) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr Sum kEpsilon = static_cast<Sum>(0x1p-53);
  if (s == 1) return HUGE_VAL;
  if (s < 1) return kNaN;
  if (q <= 0 && q == std::floor(q)) return HUGE_VAL;
  if ((q <= 0 && s != std::floor(s)) || q < -1e6) return kNaN;
  Sum sum = static_cast<Sum>(std::pow(q, -s));
  Sum w = q, term = 0;
  for (int i = 0; i < 9 || w <= 9; ++i) {
    w += 1;
    term = std::pow(w, static_cast<Sum>(-s));
    sum += term;
    if (-kEpsilon * sum < term && term < kEpsilon * sum) return sum;
  }
  sum += term * w / (s - 1);
  sum -= Sum(0.5) * term;
  Sum factor = 1, k = 0;
  // The numbers (2k)! / B_2k for k = 1, 2, ..., where B are Bernoulli's numbers.
  for (double a : {12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1307674368000.0 / 691,
                   74724249600.0, -10670622842880000.0 / 3617, 5109094217170944000.0 / 43867,
                   -802857662698291200000.0 / 174611, 1.5511210043330985984e23 / 854513,
                   -1.6938241367317436694528e27 / 236364091}) {
    factor *= s + k;
    term /= w;
    const Sum part = factor * term / static_cast<Sum>(a);
    sum += part;
    if (std::abs(part / sum) < kEpsilon) break;
    k += 1;
    factor *= s + k;
    term /= w;
    k += 1;
  }
  return sum;
}

/// Sums a dense row of fewer than 512 terms in ATen's order. Vectors of 32 bytes are summed by
/// fours, then the vectors that are left, then the lanes. A vector of a reduced dtype is first the
/// sum of two vectors of float32.
template <class T>
T row_sum(DType dtype, std::vector<T> terms) {
  const std::size_t width = 32 / static_cast<std::size_t>(itemsize(dtype));
  const bool vectors = terms.size() >= width;
  const std::size_t rows = vectors ? terms.size() / width : terms.size();
  const std::size_t lanes = vectors ? 32 / sizeof(T) : 1;
  const auto lane_of_row = [&](std::size_t row, std::size_t lane) {
    if (!vectors) return terms[row];
    const T first = terms[row * width + lane];
    return width == lanes ? first : first + terms[row * width + lanes + lane];
  };
  std::vector<T> sums(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::array<T, 4> partial{};
    for (std::size_t row = 0; row < rows / 4 * 4; ++row) partial[row % 4] += lane_of_row(row, lane);
    for (std::size_t row = rows / 4 * 4; row < rows; ++row) partial[0] += lane_of_row(row, lane);
    sums[lane] = partial[0] + partial[1] + partial[2] + partial[3];
  }
  T sum = 0;
  for (std::size_t i = vectors ? rows * width : rows; i < terms.size(); ++i) sum += terms[i];
  for (const T lane : sums) sum += lane;
  return sum;
}

std::int64_t integer_argument(const Case& c, std::string_view name) {
  return number_to<std::int64_t>(c.arguments[c.schema().find(name)].number);
}

/// digamma below 0: ATen computes pi / tan(pi r), where r is the fractional part of x. For r near
/// -1 no digit is right.
std::optional<Answer> digamma_reflected(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) { return digamma(x); });
}

/// polygamma: ATen has a short formula for n = 1. Else it multiplies exp(lgamma(n + 1)) by zeta(n +
/// 1, x), both rounded to the dtype. That gives inf * 0 where the true product is finite. zeta(n,
/// inf) is NaN.
std::optional<Answer> polygamma_in_factors(const Case& c, const Answer& right) {
  const std::int64_t n = integer_argument(c, "n");
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  return in_the_dtype(c, right, [n, common]<class T>(T x) -> T {
    if (n == 0) return digamma(x);
    if (n == 1) return short_trigamma(x);
    const T order = static_cast<T>(n);
    const double zeta = is_reduced(common) ? cephes_zeta<T, float>(order + 1, x)
                                           : cephes_zeta<T, double>(order + 1, x);
    const T factorial = std::exp(std::lgamma(order + 1));
    return (n % 2 == 0 ? -factorial : factorial) * static_cast<T>(rounded(common, zeta));
  });
}

/// special_zeta: for s = 1 ATen ignores q. Where q or s is infinite, or w^s overflows, it gets 0 *
/// inf.
std::optional<Answer> zeta_after_cephes(const Case& c, const Answer& right) {
  return pairs_in_the_dtype(c, right,
                            []<class T>(T s, T q) { return cephes_zeta<T, double>(s, q); });
}

/// igamma and igammac, as incomplete_gamma_model.h computes them.
template <bool kUpper>
std::optional<Answer> igamma_after_cephes(const Case& c, const Answer& right) {
  return pairs_in_the_dtype(c, right, []<class T>(T a, T x) {
    return kUpper ? IncompleteGammaModel<T>::upper(a, x) : IncompleteGammaModel<T>::lower(a, x);
  });
}

/// mvlgamma: ATen rounds x + (1 - j) / 2 to the dtype, so that an x near a pole becomes the pole.
/// It also rounds each logarithm and the sum.
std::optional<Answer> mvlgamma_step_by_step(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  const std::int64_t p = integer_argument(c, "p");
  return in_the_dtype(c, right, [&]<class T>(T x) -> double {
    constexpr double kLogPi = 1.14472988584940017414;
    std::vector<T> terms;
    for (std::int64_t j = p - 1; j >= 0; --j) {
      const double argument = rounded(common, static_cast<T>(x - static_cast<T>(j) / 2));
      terms.push_back(static_cast<T>(rounded(common, std::lgamma(static_cast<T>(argument)))));
    }
    const auto shift =
        static_cast<T>(rounded(common, kLogPi * static_cast<double>(p * (p - 1)) / 4));
    return static_cast<T>(rounded(common, row_sum(common, std::move(terms)))) + shift;
  });
}

/// log_ndtr: ATen rounds x / sqrt(2) to the dtype. In the tails that error is multiplied by x^2.
std::optional<Answer> log_ndtr_of_a_rounded_argument(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    const T t = x * static_cast<T>(0.70710678118654752440);
    if (!(x < -1)) return std::log1p(-std::erfc(t) / 2);
    return std::log(static_cast<T>(upcast::erfcx(-t)) / 2) - t * t;
  });
}

/// ndtr: ATen computes (1 + erf(x / sqrt(2))) / 2 and rounds each step to the dtype. The erf of MKL
/// and of the vector code errs by up to an ulp.
std::optional<Answer> ndtr_by_erf(const Case& c, const Answer& right, const Answer& answer) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  const auto by = [&](auto erf) {
    return in_the_dtype(c, right, [&]<class T>(T x) -> T {
      const auto narrow = [common](T value) {
        return is_reduced(common) ? static_cast<T>(rounded(common, value)) : value;
      };
      const T error = narrow(erf(narrow(x * static_cast<T>(0.70710678118654752440))));
      return narrow(1 + error) / 2;
    });
  };
  const auto near_erf = [&](int steps) {
    return by([steps](auto x) { return moved(std::erf(x), steps); });
  };
  const auto five_terms =
      by([]<class T>(T x) -> T { return erf_of_five_terms(static_cast<float>(x)); });
  return nearest_of({near_erf(0), near_erf(-1), near_erf(1), five_terms}, right, answer);
}

/// logaddexp and logaddexp2: ATen adds a small term to the larger operand, in the dtype. Its exp
/// and log1p err by up to an ulp.
template <bool kOfTwo>
std::optional<Answer> larger_and_the_rest(const Case& c, const Answer& right,
                                          const Answer& answer) {
  if (!common_among(c, kFloats)) return std::nullopt;
  std::vector<std::optional<Answer>> ways;
  for (const bool fused : {false, true})
    for (const int steps : {0, -1, 1, -2, 2})
      ways.push_back(pairs_in_the_dtype(c, right, [=]<class T>(T x, T y) -> T {
        const T below = -std::abs(x - y), larger = std::max(x, y);
        if (!kOfTwo) return larger + moved(std::log1p(std::exp(below)), steps);
        const T rest = moved(std::log1p(std::exp2(below)), steps);
        return fused ? std::fma(rest, std::numbers::log2e_v<T>, larger)
                     : larger + rest * std::numbers::log2e_v<T>;
      }));
  return nearest_of(ways, right, answer);
}

}  // namespace

ModelRows gamma_models() {
  return {
      {"digamma_reflected", {"digamma"}, digamma_reflected},
      {"polygamma_in_factors", {"polygamma"}, polygamma_in_factors},
      {"zeta_after_cephes", {"special_zeta"}, zeta_after_cephes},
      {"igamma_after_cephes", {"igamma"}, igamma_after_cephes<false>},
      {"igamma_after_cephes", {"igammac"}, igamma_after_cephes<true>},
      {"mvlgamma_step_by_step", {"mvlgamma"}, mvlgamma_step_by_step},
      {"log_ndtr_of_a_rounded_argument", {"special_log_ndtr"}, log_ndtr_of_a_rounded_argument},
      {"ndtr_by_erf", {"special_ndtr"}, ndtr_by_erf},
      {"larger_and_the_rest", {"logaddexp"}, larger_and_the_rest<false>},
      {"larger_and_the_rest", {"logaddexp2"}, larger_and_the_rest<true>},
  };
}

}  // namespace upcast::models
