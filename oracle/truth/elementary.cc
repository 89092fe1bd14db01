// The truth of elementary functions. MPFR decides, but Arb is asked first because it is faster.
#include <cmath>
#include <limits>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kAnnexF = "C23, F.10, as MPFR follows it";

/// The filter of an elementary function: glibc's function of float64. Rows name the largest error
/// that glibc knows of it (definition.h). glibc names none for atan2 and tan. sqrt is exact, for
/// which rows say 1.
template <auto Function>
double by_glibc(Doubles x) {
  return Function(x[0]);
}
template <auto Function>
double by_glibc2(Doubles x) {
  return Function(x[0], x[1]);
}
template <auto Function>
Ball by_arb(Balls x) {
  return of<Function>(x[0]);
}
template <auto Function>
Ball by_arb2(Balls x) {
  return of<Function>(x[0], x[1]);
}

template <double (*Near)(double), auto Arb>
constexpr Definition unary(std::string_view op, MpfrUnary mpfr, double near_ulp) {
  return {.op = op,
          .source = kAnnexF,
          .near = by_glibc<Near>,
          .near_ulp = near_ulp,
          .ball = by_arb<Arb>,
          .mpfr_unary = mpfr};
}

constexpr auto kLogOf = [](const Ball& x, auto base) {
  Ball result(x.precision());
  arb_log_base_ui(result.get(), x.get(), base, x.precision());
  return result;
};

Ball log2_ball(Balls x) { return kLogOf(x[0], 2U); }
Ball log10_ball(Balls x) { return kLogOf(x[0], 10U); }
Ball exp2_ball(Balls x) { return of<arb_pow>(Ball(2, x[0].precision()), x[0]); }

std::optional<Known> rsqrt_special(Doubles x) {
  // An infinity with the sign of the zero, as IEEE 754-2019, 9.2.1 has it for rSqrt.
  if (x[0] == 0) return 1 / x[0];
  return std::nullopt;
}

/// The exponent as an attribute, x[2], if the case gives a number for it. It is not x[1], because
/// float8_e8m0fnu has no 0 to stand for a missing operand. Empty for a tensor.
std::vector<double> exponent_number(const Call& call, DType) {
  const Argument& exponent = call.argument("exponent");
  if (exponent.tag != Argument::Tag::kNumber) return {};
  return {number_to<double>(exponent.number)};
}
std::optional<Known> pow_special(Doubles x) {
  if (x.size() < 3) return std::nullopt;
  if (x[2] == 0) return 1.0;
  return x[2] == 1 ? std::optional<Known>(x[0]) : std::nullopt;
}

constexpr Definition kRows[] = {
    unary<std::exp, arb_exp>("exp", mpfr_exp, 1),
    unary<std::expm1, arb_expm1>("expm1", mpfr_expm1, 1),
    unary<std::log, arb_log>("log", mpfr_log, 1),
    unary<std::log1p, arb_log1p>("log1p", mpfr_log1p, 1),
    unary<std::sqrt, arb_sqrt>("sqrt", mpfr_sqrt, 1),
    unary<std::sin, arb_sin>("sin", mpfr_sin, 1),
    unary<std::cos, arb_cos>("cos", mpfr_cos, 1),
    unary<std::tan, arb_tan>("tan", mpfr_tan, 1),
    unary<std::asin, arb_asin>("asin", mpfr_asin, 1),
    unary<std::acos, arb_acos>("acos", mpfr_acos, 1),
    unary<std::atan, arb_atan>("atan", mpfr_atan, 1),
    unary<std::sinh, arb_sinh>("sinh", mpfr_sinh, 2),
    unary<std::cosh, arb_cosh>("cosh", mpfr_cosh, 2),
    unary<std::tanh, arb_tanh>("tanh", mpfr_tanh, 2),
    unary<std::asinh, arb_asinh>("asinh", mpfr_asinh, 2),
    unary<std::acosh, arb_acosh>("acosh", mpfr_acosh, 2),
    unary<std::atanh, arb_atanh>("atanh", mpfr_atanh, 2),
    {.op = "exp2",
     .source = kAnnexF,
     .near = by_glibc<static_cast<double (*)(double)>(std::exp2)>,
     .near_ulp = 1,
     .ball = exp2_ball,
     .mpfr_unary = mpfr_exp2},
    {.op = "log2",
     .source = kAnnexF,
     .near = by_glibc<static_cast<double (*)(double)>(std::log2)>,
     .near_ulp = 2,
     .ball = log2_ball,
     .mpfr_unary = mpfr_log2},
    {.op = "log10",
     .source = kAnnexF,
     .near = by_glibc<static_cast<double (*)(double)>(std::log10)>,
     .near_ulp = 2,
     .ball = log10_ball,
     .mpfr_unary = mpfr_log10},
    {.op = "rsqrt",
     .source = "IEEE 754-2019, 9.2.1",
     .special = rsqrt_special,
     .near = [](Doubles x) { return 1 / std::sqrt(x[0]); },
     .near_ulp = 2,
     .ball = by_arb<arb_rsqrt>,
     .mpfr_unary = mpfr_rec_sqrt},
    {.op = "pow",
     .source = "C23, F.10.4.4, as MPFR follows it; an exponent of 0 or 1 that is a number has no "
               "dtype",
     .special = pow_special,
     .near = by_glibc2<static_cast<double (*)(double, double)>(std::pow)>,
     .near_ulp = 1,
     .ball = by_arb2<arb_pow>,
     .mpfr_binary = mpfr_pow,
     .attributes = exponent_number},
    {.op = "float_power",
     .source = kAnnexF,
     .near = by_glibc2<static_cast<double (*)(double, double)>(std::pow)>,
     .near_ulp = 1,
     .ball = by_arb2<arb_pow>,
     .mpfr_binary = mpfr_pow},
    {.op = "atan2",
     .source = kAnnexF,
     .near = by_glibc2<static_cast<double (*)(double, double)>(std::atan2)>,
     .near_ulp = 1,
     .ball = by_arb2<arb_atan2>,
     .mpfr_binary = mpfr_atan2},
    {.op = "hypot",
     .source = kAnnexF,
     .near = by_glibc2<static_cast<double (*)(double, double)>(std::hypot)>,
     .near_ulp = 1,
     .ball = by_arb2<arb_hypot>,
     .mpfr_binary = mpfr_hypot},
    {.op = "erf",
     .source = kAnnexF,
     .near = by_glibc<static_cast<double (*)(double)>(std::erf)>,
     .near_ulp = 1,
     .ball = [](Balls x) { return erf(x[0]); },
     .mpfr_unary = mpfr_erf},
    {.op = "erfc",
     .source = kAnnexF,
     .near = by_glibc<static_cast<double (*)(double)>(std::erfc)>,
     .near_ulp = 5,
     .ball = [](Balls x) { return erfc(x[0]); },
     .mpfr_unary = mpfr_erfc},
};

}  // namespace

std::span<const Definition> elementary_definitions() { return kRows; }

}  // namespace upcast::truth
