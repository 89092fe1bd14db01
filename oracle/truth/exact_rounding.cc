// The truth of ops over real numbers that round to integers or multiples, or leave a remainder.
#include <fmpq.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/rounding.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kAnnexF = "C23, F.10.6";
/// The precision, in bits, at which a ball holds any difference or quotient of float64 exactly
/// enough.
constexpr slong kExactBits = 4300;

double to_even(double x) { return std::nearbyint(x); }

/// The dtype's code as an attribute, for ops whose result depends on the dtype's steps.
std::vector<double> dtype_code(const Call&, DType common) { return {double(code(common))}; }

/// The neighbour of x[0] on the way to x[1] in the dtype x[2].
double next_after(Doubles x) {
  const DType dtype = dtype_from_code(static_cast<int>(x[2]));
  if (std::isnan(x[0]) || std::isnan(x[1])) return kNaN;
  if (x[0] == x[1]) return x[1];
  if (x[0] == 0) return std::copysign(ulp_of(dtype, 0), x[1]);
  const bool away = (x[0] < x[1]) == (x[0] > 0);
  double size = std::abs(x[0]);
  if (std::isinf(size)) return std::copysign(largest_finite(dtype), x[0]);
  const double step = ulp_of(dtype, size);
  // Below a power of two, steps are half as long, except among subnormal numbers.
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
  const bool is_power = (std::bit_cast<std::uint64_t>(size) & kMantissa) == 0;
  const double down = is_power && size > step && step > ulp_of(dtype, 0) ? step / 2 : step;
  size = away ? size + step : size - down;
  return std::copysign(round_once(dtype, size), x[0]);
}

/// The remainder of Python and of C: a - b floor(a / b). If it is zero, Python takes the divisor's
/// sign and others the dividend's, so either is right.
Known remainder(Doubles x) {
  const double rest = std::fmod(x[0], x[1]);
  if (rest == 0) return zero_of_any_sign();
  if (std::isnan(rest) || (rest < 0) == (x[1] < 0)) return rest;
  return std::isinf(x[1]) ? Known(x[1]) : Known(rest + x[1], lost_by_sum(rest, x[1]));
}

/// The exact quotient made whole: (a - a mod b) / b, less one if it must be floored and was rounded
/// up.
Ball whole_quotient(Balls x, bool floors) {
  const double a = middle(x[0]);
  const double b = middle(x[1]);
  const double rest = std::fmod(a, b);
  const Ball quotient = (Ball(a, kExactBits) - Ball(rest, kExactBits)) / Ball(b, kExactBits);
  return floors && rest != 0 && (rest < 0) != (b < 0) ? quotient - 1.0 : quotient;
}
double quotient_ieee(Doubles x) { return x[0] / x[1]; }
/// The zero to which a small quotient is rounded, with the sign of the quotient.
double quotient_zero(Doubles x) { return std::copysign(0.0, x[0] / x[1]); }

Special floor_divide_special(Doubles x) {
  if (x[1] == 0 || std::isnan(x[0]) || std::isnan(x[1])) return quotient_ieee(x);
  if (!std::isfinite(x[0])) return undocumented();
  if (!std::isfinite(x[1]))
    return x[0] == 0 || (x[0] < 0) == (x[1] < 0) ? Special(quotient_ieee(x))
                                                 : Special(undocumented());
  return std::nullopt;
}
Special trunc_divide_special(Doubles x) {
  if (std::isfinite(x[0]) && std::isfinite(x[1]) && x[1] != 0) return std::nullopt;
  return std::trunc(quotient_ieee(x));
}

/// Floor division in Python's steps. Source: CPython, Objects/floatobject.c, _float_div_mod.
template <class T>
double floor_divide_by_steps(double x, double y) {
  const T a = static_cast<T>(x);
  const T b = static_cast<T>(y);
  const T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  const T floored = std::floor(quotient);
  return quotient - floored > T(0.5) ? floored + 1 : floored;
}
template <class T>
double trunc_divide_by_steps(double x, double y) {
  return std::trunc(static_cast<T>(x) / static_cast<T>(y));
}

/// How far an implementation that rounds each step may end from the right whole quotient.
double lost_by_steps(Doubles x, DType compute, bool floors) {
  if (x[1] == 0 || !std::isfinite(x[0]) || !std::isfinite(x[1])) return 0;
  const bool wide = compute == DType::kFloat64;
  const double found = floors ? wide ? floor_divide_by_steps<double>(x[0], x[1])
                                     : floor_divide_by_steps<float>(x[0], x[1])
                       : wide ? trunc_divide_by_steps<double>(x[0], x[1])
                              : trunc_divide_by_steps<float>(x[0], x[1]);
  const Ball exact =
      whole_quotient(std::array{Ball(x[0], kExactBits), Ball(x[1], kExactBits)}, floors);
  const double value = middle(exact);
  return found == round_once(compute, value) ? 0 : std::abs(found - value);
}
double floor_divide_steps(Doubles x, DType compute) { return lost_by_steps(x, compute, true); }

constexpr Definition floor_divide_row(std::string_view op) {
  return {.op = op,
          .source = "Python's //: the floor of the exact quotient",
          .special = floor_divide_special,
          .ball = [](Balls x) { return whole_quotient(x, true); },
          .ieee = quotient_zero,
          .steps = floor_divide_steps};
}

/// The rounding mode of div as the argument x[2]: 0 for none, 1 for trunc, 2 for floor.
std::vector<double> mode_of_div(const Call& call, DType) {
  const Argument& mode = call.argument("rounding_mode");
  if (mode.tag != Argument::Tag::kText) return {0};
  return {mode.text == "floor" ? 2.0 : 1.0};
}
Special div_special(Doubles x) {
  return x[2] == 0 ? std::nullopt : x[2] == 1 ? trunc_divide_special(x) : floor_divide_special(x);
}
Ball div_ball(Balls x) {
  if (arb_is_zero(x[2].get()) != 0) return x[0] / x[1];
  return whole_quotient(x, arf_cmp_d(arb_midref(x[2].get()), 2) == 0);
}
double div_ieee(Doubles x) { return x[2] == 0 ? quotient_ieee(x) : quotient_zero(x); }
double div_near(Doubles x) { return x[2] == 0 ? x[0] / x[1] : kNaN; }
double div_steps(Doubles x, DType compute) {
  return x[2] == 0 ? 0 : lost_by_steps(x, compute, x[2] == 2);
}

/// round's number of decimals, as the argument x[1].
std::vector<double> decimals_of(const Call& call, DType) {
  return {number_to<double>(call.number("decimals", 0))};
}

using Fmpq = Owned<fmpq_t, fmpq_init, fmpq_clear>;
using Fmpz = Owned<fmpz_t, fmpz_init, fmpz_clear>;

/// The multiple of 10^-decimals that is nearest to x; of two that are equally near, the even one.
/// It is computed as an integer times that power.
Ball round_to_decimals(double x, slong decimals) {
  Fmpq scaled, power, half, rounded;
  Arf exact;
  arf_set_d(exact.get(), x);
  arf_get_fmpq(scaled.get(), exact.get());
  fmpq_set_si(power.get(), 10, 1);
  fmpq_pow_si(power.get(), power.get(), decimals);
  fmpq_mul(scaled.get(), scaled.get(), power.get());
  // Rounds to nearest, ties to even: floor(scaled + 1/2), less one if scaled + 1/2 is an odd whole
  // number.
  fmpq_set_si(half.get(), 1, 2);
  fmpq_add(scaled.get(), scaled.get(), half.get());
  Fmpz whole;
  fmpz_fdiv_q(whole.get(), fmpq_numref(scaled.get()), fmpq_denref(scaled.get()));
  if (fmpz_is_one(fmpq_denref(scaled.get())) != 0 && fmpz_is_odd(whole.get()) != 0)
    fmpz_sub_ui(whole.get(), whole.get(), 1);
  fmpz_set(fmpq_numref(rounded.get()), whole.get());
  fmpq_div(rounded.get(), rounded.get(), power.get());
  Ball result(kExactBits);
  arb_set_fmpq(result.get(), rounded.get(), kExactBits);
  return result;
}
Ball round_ball(Balls x) {
  const double decimals = middle(x[1]);
  // More than 1000 decimals are beyond the digits of float64, and fewer than -1000 are beyond its
  // range.
  return round_to_decimals(middle(x[0]), static_cast<slong>(std::clamp(decimals, -1000.0, 1000.0)));
}
Special round_special(Doubles x) {
  if (!std::isfinite(x[0]) || x[0] == 0) return x[0];
  return x[1] == 0 ? Special(to_even(x[0])) : std::nullopt;
}

/// ldexp, x * 2^n. An n outside of -5000 to 5000 leads out of the range of every dtype.
Ball ldexp_ball(Balls x) {
  const double exponent = middle(x[1]);
  Ball result = x[0];
  arb_mul_2exp_si(result.get(), result.get(),
                  static_cast<slong>(std::clamp(exponent, -5000.0, 5000.0)));
  return result;
}
Special ldexp_special(Doubles x) {
  return std::isfinite(x[0]) && x[0] != 0 ? std::nullopt : Special(x[0]);
}

double mantissa(Doubles x) {
  int exponent = 0;
  return std::frexp(x[0], &exponent);
}
/// The exponent that frexp gives. C23, F.10.3.7 leaves it open for infinities and NaN; PyTorch
/// gives 0.
int exponent_of(Doubles x) {
  int exponent = 0;
  if (std::isfinite(x[0])) std::frexp(x[0], &exponent);
  return exponent;
}

constexpr Definition kRows[] = {
    exact_row<[](Doubles x) { return std::ceil(x[0]); }>("ceil", kAnnexF),
    exact_row<[](Doubles x) { return std::floor(x[0]); }>("floor", kAnnexF),
    exact_row<[](Doubles x) { return std::trunc(x[0]); }>("trunc", kAnnexF),
    exact_row<[](Doubles x) { return x[0] - std::trunc(x[0]); }>(
        "frac", "torch.frac: x - trunc(x), which is exact; a zero as in IEEE 754-2019, 6.3"),
    {.op = "round",
     .source = "torch.round: halves to even, also of a number of decimals, judged on x itself",
     .special = round_special,
     .ball = round_ball,
     .ieee = [](Doubles x) { return std::copysign(0.0, x[0]); },
     .attributes = decimals_of},
    exact_row<next_after>("nextafter", "C23, F.10.8.3, in the common dtype", dtype_code),
    exact_row<[](Doubles x) { return std::fmod(x[0], x[1]); }>("fmod", "C23, F.10.7.1"),
    exact_row<remainder>("remainder",
                         "torch.remainder: a - b floor(a / b); an infinite divisor as in Python; "
                         "the sign of a zero is not defined"),
    floor_divide_row("floor_divide"),
    {.op = "div",
     .source = "IEEE 754-2019, 5.4.1; rounded to an integer: that of the exact quotient",
     .special = div_special,
     .near = div_near,
     .near_ulp = 1,
     .ball = div_ball,
     .ieee = div_ieee,
     .attributes = mode_of_div,
     .steps = div_steps},
    {.op = "ldexp",
     .source = "torch.ldexp: x 2^n, exactly",
     .special = ldexp_special,
     .ball = ldexp_ball,
     .ieee = [](Doubles x) { return std::copysign(0.0, x[0]); }},
    {.op = "frexp",
     .source = "torch.frexp, C23, F.10.3.7",
     .special = [](Doubles x) -> Special { return mantissa(x); },
     .second = exponent_of},
};

}  // namespace

std::span<const Definition> rounding_definitions() { return kRows; }

}  // namespace upcast::truth
