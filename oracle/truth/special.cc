// The truth of special functions. Arb computes them, and MPFR computes a few of them too.
#include <arb_hypgeom.h>

#include <cmath>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/hurwitz_zeta.h"

namespace upcast::truth {
namespace {

/// Makes a row with a ball and special values, but without a filter.
constexpr Definition ball_row(std::string_view op, BallFunction ball, SpecialFunction special,
                              int order = -1) {
  return {
      .op = op, .source = "its limits and poles", .special = special, .ball = ball, .order = order};
}

Ball integer(int n, const Ball& like) { return Ball(n, like.precision()); }

Ball absolute(const Ball& x) {
  Ball result(x.precision());
  arb_abs(result.get(), x.get());
  return result;
}

Ball sign_of(const Ball& x) {
  Ball result(x.precision());
  arb_sgn(result.get(), x.get());
  return result;
}

/// Computes exp(x^2) erfc(x) for x > 0 as U(1/2, 1/2, x^2) / sqrt(pi), DLMF 13.6.8.
Ball erfcx_of_positive(const Ball& x) {
  const Ball half(0.5, x.precision());
  const Ball square = x * x;
  Ball result(x.precision());
  arb_hypgeom_u(result.get(), half.get(), half.get(), square.get(), x.precision());
  return result / sqrt(pi(x));
}

bool is_above(const Ball& x, double bound) { return arf_cmp_d(arb_midref(x.get()), bound) > 0; }

Ball erfcx(Balls x) {
  return is_above(x[0], 4) ? erfcx_of_positive(x[0]) : exp(x[0] * x[0]) * erfc(x[0]);
}
Special erfcx_special(Doubles x) {
  if (x[0] < -30) return kInf;
  if (x[0] == kInf) return 0.0;
  return std::nullopt;
}

Ball ndtr(Balls x) { return erfc(-x[0] / sqrt(integer(2, x[0]))) / 2.0; }
Special ndtr_special(Doubles x) {
  return std::isinf(x[0]) ? Special(x[0] > 0 ? 1 : 0) : std::nullopt;
}

/// Computes log(ndtr(x)). In the lower tail it uses erfcx, which does not underflow.
Ball log_ndtr(Balls x) {
  const Ball scaled = x[0] / sqrt(integer(2, x[0]));
  if (is_above(x[0], 0)) return log1p(-erfc(scaled) / 2.0);
  if (is_above(x[0], -8)) return log(erfc(-scaled) / 2.0);
  return log(erfcx_of_positive(-scaled) / 2.0) - scaled * scaled;
}
Special log_ndtr_special(Doubles x) {
  return std::isinf(x[0]) ? Special(x[0] > 0 ? -0.0 : -kInf) : std::nullopt;
}

/// Computes ndtri. Arb's inverse takes the complement of a probability, which keeps the digits of a
/// small one.
Ball ndtri(Balls x) {
  const Ball twice = 2.0 * x[0];
  return -sqrt(integer(2, x[0])) * of<arb_hypgeom_erfcinv>(twice);
}
Special ndtri_special(Doubles x) {
  if (!(x[0] >= 0 && x[0] <= 1)) return kNaN;
  if (x[0] == 0) return -kInf;
  if (x[0] == 1) return kInf;
  if (x[0] == 0.5) return 0.0;
  return std::nullopt;
}

Special erfinv_special(Doubles x) {
  if (!(std::abs(x[0]) <= 1)) return kNaN;
  if (std::abs(x[0]) == 1) return std::copysign(kInf, x[0]);
  if (x[0] == 0) return x[0];
  return std::nullopt;
}

Special entr_special(Doubles x) {
  if (x[0] == 0) return 0.0;
  if (x[0] < 0 || x[0] == kInf) return -kInf;
  return std::nullopt;
}

bool is_integer(double x) { return std::floor(x) == x; }

int lgamma_mpfr(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, rounding);
}

/// Computes log|gamma(x)|. For x below 0 it uses the reflection formula, DLMF 5.5.3.
Ball lgamma(const Ball& x) {
  if (is_positive(x)) return of<arb_lgamma>(x);
  return log(pi(x) / absolute(of<arb_sin_pi>(x))) - of<arb_lgamma>(1.0 - x);
}

/// Computes mvlgamma, where x[1] is the dimension p: p(p-1)/4 log(pi), plus the sum of lgamma(x -
/// j/2) for j < p.
Ball mvlgamma(Balls x) {
  const double p = middle(x[1]);
  Ball sum = log(pi(x[0])) * (p * (p - 1) / 4);
  for (double j = 0; j < p; ++j) sum = sum + lgamma(x[0] - j / 2);
  return sum;
}
Special mvlgamma_special(Doubles x) {
  if (std::isinf(x[0])) return kInf;
  // mvlgamma has a pole if any x - j/2 is a whole number up to 0. That needs a whole 2x, and then x
  // - j/2 is exact below 2^53.
  for (double j = 0; j < x[1]; ++j)
    if (is_integer(2 * x[0]) && x[0] - j / 2 <= 0 && is_integer(x[0] - j / 2)) return kInf;
  return std::nullopt;
}
std::vector<double> mvlgamma_order(const Call& call, DType) {
  return {number_to<double>(call.number("p", 1))};
}

Special digamma_special(Doubles x) {
  if (x[0] == 0) return std::copysign(kInf, -x[0]);
  if (x[0] == -kInf || (x[0] < 0 && is_integer(x[0]))) return kNaN;
  if (x[0] == kInf) return kInf;
  return std::nullopt;
}

/// Computes polygamma, where x[1] is the order n: (-1)^(n+1) n! zeta(n + 1, x), DLMF 25.11.12.
Ball polygamma(Balls x) {
  if (arb_is_zero(x[1].get()) != 0) return of<arb_digamma>(x[0]);
  const Ball order = x[1] + 1.0;
  const Ball sum =
      is_above(x[0], 0) ? hurwitz_zeta(order, x[0]) : hurwitz_zeta_below_0(order, x[0]);
  Ball factorial(x[0].precision());
  arb_gamma(factorial.get(), order.get(), x[0].precision());
  const bool negative = std::fmod(middle(x[1]), 2) == 0;
  return negative ? -factorial * sum : factorial * sum;
}
/// Special values of polygamma. A pole has the sign of the limit from the right. There is no limit
/// at -infinity.
Special polygamma_special(Doubles x) {
  if (x[1] == 0) return digamma_special(x);
  if (x[0] == kInf) return std::fmod(x[1], 2) == 1 ? 0.0 : -0.0;
  if (x[0] == -kInf) return undocumented();
  if (x[0] <= 0 && is_integer(x[0])) return std::fmod(x[1], 2) == 1 ? kInf : -kInf;
  return std::nullopt;
}
std::vector<double> polygamma_order(const Call& call, DType) {
  return {number_to<double>(call.number("n", 0))};
}

/// Whether igamma's arguments are too large to compute it. Its distribution is then so wide that
/// near its mean the series have more than 10^9 terms.
bool is_out_of_reach(Balls x) { return is_above(x[0], 1e9) && is_above(x[1], 1e9); }

/// igamma and igammac, which are P(a, x) and Q(a, x). Their limits are those of DLMF 8.2 and 8.4.
Ball igammac(Balls x) {
  if (is_out_of_reach(x)) return indeterminate(x[0]);
  Ball result(x[0].precision());
  arb_hypgeom_gamma_upper(result.get(), x[0].get(), x[1].get(), 1, x[0].precision());
  return result;
}
Ball igamma(Balls x) {
  if (is_out_of_reach(x)) return indeterminate(x[0]);
  Ball result(x[0].precision());
  arb_hypgeom_gamma_lower(result.get(), x[0].get(), x[1].get(), 1, x[0].precision());
  const bool is_useful = arb_rel_accuracy_bits(result.get()) > 0;
  return is_useful ? result : 1.0 - igammac(x);
}
Special igamma_special(Doubles x) {
  const double a = x[0];
  const double z = x[1];
  if (std::isnan(a) || std::isnan(z) || a < 0 || z < 0) return kNaN;
  if (a == 0) return z > 0 ? 1.0 : kNaN;
  if (z == 0) return 0.0;
  if (std::isinf(a)) return std::isinf(z) ? kNaN : 0.0;
  if (std::isinf(z)) return 1.0;
  // Chernoff's bound of both tails of the gamma distribution is exp(-(z - a - a log(z / a))). Below
  // 2^-1100 the tail is 0 in every dtype.
  if (z - a - a * std::log(z / a) > 765) return z < a ? 0.0 : 1.0;
  return std::nullopt;
}
Special igammac_special(Doubles x) {
  const Special lower = igamma_special(x);
  return lower ? Special(1 - lower->value) : std::nullopt;
}

Ball zeta(Balls x) {
  return is_above(x[1], 0) ? hurwitz_zeta(x[0], x[1]) : hurwitz_zeta_below_0(x[0], x[1]);
}
/// Special values of zeta. It is defined for s > 1; for q < 0 only if q^s is real.
Special zeta_special(Doubles x) {
  const double s = x[0];
  const double q = x[1];
  if (std::isnan(s) || std::isnan(q)) return kNaN;
  if (s == 1) return kInf;
  if (s < 1) return kNaN;
  if (q <= 0 && is_integer(q)) return kInf;
  if (q < 0 && !is_integer(s)) return kNaN;
  if (s == kInf && q < 0) return undocumented();
  if (s == kInf) return q > 1 ? 0.0 : q == 1 ? 1.0 : kInf;
  if (q == kInf) return 0.0;
  // For a large s, zeta is about q^-s (1 + q / (s - 1)). Below 2^-1100 that is 0 in every dtype.
  if (s * std::log2(q) > 1100 + std::log2(q)) return 0.0;
  return std::nullopt;
}

template <auto Function, int Order>
Ball bessel(Balls x) {
  return of<Function>(integer(Order, x[0]), x[0]);
}
template <int Order>
Ball bessel_i_scaled(Balls x) {
  const Ball value = of<arb_hypgeom_bessel_i_scaled>(integer(Order, x[0]), absolute(x[0]));
  return Order == 0 ? value : sign_of(x[0]) * value;
}

/// Special values of functions that tend to 0 at infinity. In odd ones, +0 and -0 keep their signs.
Special zero_at_infinity(Doubles x) { return std::isinf(x[0]) ? Special(0.0) : std::nullopt; }
Special odd_zero_at_infinity(Doubles x) {
  if (x[0] == 0) return x[0];
  return std::isinf(x[0]) ? Special(std::copysign(0.0, x[0])) : std::nullopt;
}
Special even_infinite(Doubles x) { return std::isinf(x[0]) ? Special(kInf) : std::nullopt; }
Special odd_infinite(Doubles x) {
  return std::isinf(x[0]) || x[0] == 0 ? Special(x[0]) : std::nullopt;
}
/// Special values of functions of the second kind: a pole at 0, and no real value for x < 0.
Special k_special(Doubles x) {
  if (x[0] < 0) return kNaN;
  if (x[0] == 0) return kInf;
  if (x[0] == kInf) return 0.0;
  return std::nullopt;
}
Special y_special(Doubles x) {
  if (x[0] < 0) return kNaN;
  if (x[0] == 0) return -kInf;
  if (x[0] == kInf) return 0.0;
  return std::nullopt;
}

Ball airy_ai(Balls x) {
  Ball result(x[0].precision());
  arb_hypgeom_airy(result.get(), nullptr, nullptr, nullptr, x[0].get(), x[0].precision());
  return result;
}

Special one_at_zero(Doubles x) {
  if (x[0] == 0) return 1.0;
  return std::isinf(x[0]) ? Special(0.0) : std::nullopt;
}
/// sinc at infinity. PyTorch documents the formula sin(pi x) / (pi x), whose result in IEEE
/// arithmetic is taken.
Special sinc_special(Doubles x) {
  if (x[0] == 0) return 1.0;
  return std::isinf(x[0]) ? Special(kNaN) : std::nullopt;
}

constexpr Definition kRows[] = {
    ball_row(
        "erfinv", [](Balls x) { return of<arb_hypgeom_erfinv>(x[0]); }, erfinv_special),
    ball_row("special_erfcx", erfcx, erfcx_special),
    ball_row("special_ndtr", ndtr, ndtr_special),
    Definition{.op = "special_log_ndtr",
               .source = "its limits; negative everywhere",
               .special = log_ndtr_special,
               .ball = log_ndtr,
               .ieee = [](Doubles x) { return std::isnan(x[0]) ? x[0] : -0.0; }},
    ball_row("special_ndtri", ndtri, ndtri_special),
    formula(
        "special_entr", "its limits", [](auto x) { return -x[0] * log(x[0]); }, entr_special),
    Definition{.op = "lgamma", .source = "C23, F.10.5.3", .mpfr_unary = lgamma_mpfr},
    Definition{.op = "mvlgamma",
               .source = "the poles of its terms",
               .special = mvlgamma_special,
               .ball = mvlgamma,
               .attributes = mvlgamma_order},
    Definition{.op = "digamma",
               .source = "its poles; NaN where the two sides differ in sign",
               .special = digamma_special,
               .ball = [](Balls x) { return of<arb_digamma>(x[0]); }},
    Definition{.op = "polygamma",
               .source = "its poles",
               .special = polygamma_special,
               .ball = polygamma,
               .attributes = polygamma_order},
    ball_row("igamma", igamma, igamma_special),
    ball_row("igammac", igammac, igammac_special),
    ball_row("special_zeta", zeta, zeta_special, 0),
    ball_row("i0", bessel<arb_hypgeom_bessel_i, 0>, even_infinite),
    ball_row("special_i1", bessel<arb_hypgeom_bessel_i, 1>, odd_infinite),
    ball_row("special_i0e", bessel_i_scaled<0>, zero_at_infinity),
    ball_row("special_i1e", bessel_i_scaled<1>, odd_zero_at_infinity),
    ball_row("special_modified_bessel_i0", bessel<arb_hypgeom_bessel_i, 0>, even_infinite),
    ball_row("special_modified_bessel_i1", bessel<arb_hypgeom_bessel_i, 1>, odd_infinite),
    ball_row("special_modified_bessel_k0", bessel<arb_hypgeom_bessel_k, 0>, k_special),
    ball_row("special_modified_bessel_k1", bessel<arb_hypgeom_bessel_k, 1>, k_special),
    ball_row("special_scaled_modified_bessel_k0", bessel<arb_hypgeom_bessel_k_scaled, 0>,
             k_special),
    ball_row("special_scaled_modified_bessel_k1", bessel<arb_hypgeom_bessel_k_scaled, 1>,
             k_special),
    ball_row("special_bessel_j0", bessel<arb_hypgeom_bessel_j, 0>, zero_at_infinity),
    ball_row("special_bessel_j1", bessel<arb_hypgeom_bessel_j, 1>, odd_zero_at_infinity),
    ball_row("special_bessel_y0", bessel<arb_hypgeom_bessel_y, 0>, y_special),
    ball_row("special_bessel_y1", bessel<arb_hypgeom_bessel_y, 1>, y_special),
    ball_row(
        "special_spherical_bessel_j0", [](Balls x) { return of<arb_sinc>(x[0]); }, one_at_zero),
    ball_row("special_airy_ai", airy_ai, zero_at_infinity),
    ball_row(
        "sinc", [](Balls x) { return of<arb_sinc_pi>(x[0]); }, sinc_special),
};

}  // namespace

std::span<const Definition> special_definitions() { return kRows; }

}  // namespace upcast::truth
