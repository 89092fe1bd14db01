// The truth of complex functions. For finite arguments acb's balls compute them; for others, C
// Annex G defines them, as glibc has it.
#include <cmath>
#include <complex>
#include <limits>

#include "impl/ops/number_cast.h"
#include "oracle/truth/complex_definition.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

using Doubles = std::span<const ComplexDouble>;
using Balls = std::span<const ComplexBall>;
using Special = std::optional<ComplexKnown>;
using Std = std::complex<double>;

constexpr std::string_view kAnnexG = "C23, Annex G.6, as glibc follows it";
constexpr std::string_view kFinite = "finite arguments by its limits; C does not define others";

bool is_finite(ComplexDouble z) { return std::isfinite(z.re) && std::isfinite(z.im); }
ComplexKnown open() { return {undocumented(), undocumented()}; }

/// Which parts of a result, a zero or an infinity, have a sign that Annex G leaves open.
struct OpenSigns {
  bool re = false, im = false;
};

enum class Part : std::uint8_t { kZero, kInfinite, kNaN, kOther };
Part part(double value) {
  return value == 0          ? Part::kZero
         : std::isinf(value) ? Part::kInfinite
         : std::isnan(value) ? Part::kNaN
                             : Part::kOther;
}
bool is_of(ComplexDouble z, Part re, Part im) { return part(z.re) == re && part(z.im) == im; }

/// For each function, which signs are open: those where a table of C23, G.6.1 to G.6.4, says "the
/// sign ... is unspecified".
OpenSigns no_open_sign(ComplexDouble) { return {}; }
OpenSigns acos_open(ComplexDouble z) { return {.im = is_of(z, Part::kInfinite, Part::kNaN)}; }
OpenSigns acosh_open(ComplexDouble z) { return {.im = is_of(z, Part::kZero, Part::kNaN)}; }
OpenSigns asinh_open(ComplexDouble z) { return {.re = is_of(z, Part::kNaN, Part::kInfinite)}; }
OpenSigns atanh_open(ComplexDouble z) { return {.re = is_of(z, Part::kNaN, Part::kInfinite)}; }
OpenSigns cosh_open(ComplexDouble z) {
  return {.re = is_of(z, Part::kInfinite, Part::kInfinite),
          .im = is_of(z, Part::kZero, Part::kInfinite) || is_of(z, Part::kZero, Part::kNaN) ||
                is_of(z, Part::kNaN, Part::kZero)};
}
OpenSigns sinh_open(ComplexDouble z) {
  return {.re = !std::isfinite(z.im) && (z.re == 0 || std::isinf(z.re))};
}
OpenSigns tanh_open(ComplexDouble z) { return {.im = std::isinf(z.re) && !std::isfinite(z.im)}; }
OpenSigns exp_open(ComplexDouble z) {
  const bool is_open = std::isinf(z.re) && !std::isfinite(z.im);
  return {.re = is_open, .im = is_open};
}
OpenSigns sqrt_open(ComplexDouble z) {
  return {.im = std::isinf(z.re) && z.re < 0 && std::isnan(z.im)};
}

/// Computes i * z. By G.6, cos(z) is cosh(iz), and f(z) is -i fh(iz) for asin, atan, sin and tan.
ComplexDouble times_i(ComplexDouble z) { return {-z.im, z.re}; }
OpenSigns cos_open(ComplexDouble z) { return cosh_open(times_i(z)); }
template <OpenSigns (*Hyperbolic)(ComplexDouble)>
OpenSigns turned(ComplexDouble z) {
  const OpenSigns open = Hyperbolic(times_i(z));
  return {.re = open.im, .im = open.re};
}

/// A known value whose sign may be open. If it is open, either zero is right, and a number is not
/// judged.
Known without_sign(double value, bool is_open) {
  if (!is_open || std::isnan(value)) return value;
  return value == 0 ? zero_of_any_sign() : undocumented();
}

template <Std (*Function)(const Std&), OpenSigns (*Open)(ComplexDouble)>
ComplexKnown by_annex_g(ComplexDouble z) {
  const Std value = Function(Std(z.re, z.im));
  const OpenSigns open = Open(z);
  return {without_sign(value.real(), open.re), without_sign(value.imag(), open.im)};
}
template <Std (*Function)(const Std&), OpenSigns (*Open)(ComplexDouble)>
Special not_finite(Doubles x) {
  if (is_finite(x[0])) return std::nullopt;
  return by_annex_g<Function, Open>(x[0]);
}
/// Poles too.
template <Std (*Function)(const Std&), OpenSigns (*Open)(ComplexDouble), int PoleRe>
Special not_finite_or_pole(Doubles x) {
  const bool is_pole = std::abs(x[0].re) == PoleRe && x[0].im == 0;
  if (is_finite(x[0]) && !is_pole) return std::nullopt;
  return by_annex_g<Function, Open>(x[0]);
}
Special atan_special(Doubles x) {
  const bool is_pole = x[0].re == 0 && std::abs(x[0].im) == 1;
  if (is_finite(x[0]) && !is_pole) return std::nullopt;
  return by_annex_g<std::atan<double>, turned<atanh_open>>(x[0]);
}
/// Special values of a function that has no known value at the point Re: the element is not judged
/// there.
template <int Re>
Special open_at(Doubles x) {
  return x[0].re == Re && x[0].im == 0 ? Special(open()) : std::nullopt;
}

Special sgn_special(Doubles x) {
  if (x[0].re == 0 && x[0].im == 0) return ComplexKnown{zero_of_any_sign(), zero_of_any_sign()};
  return std::nullopt;
}
Special sinc_special(Doubles x) {
  if (x[0].re == 0 && x[0].im == 0) return ComplexKnown{1.0, zero_of_any_sign()};
  return std::nullopt;
}
Special pow_special(Doubles x) {
  const auto is_0 = [](ComplexDouble z) { return z.re == 0 && z.im == 0; };
  const bool has_number = x.size() == 3;
  if (has_number && is_0(x[2])) return ComplexKnown{1.0, zero_of_any_sign()};
  if (has_number && x[2].re == 1 && x[2].im == 0) return ComplexKnown{x[0].re, x[0].im};
  return is_0(x[0]) ? Special(open()) : std::nullopt;
}
/// How far the terms of y log x may be off in exp(y log x), in ulp of each term. The real part of a
/// logarithm is off by up to 3 and its angle by 1 (glibc's clog,
/// sysdeps/x86_64/fpu/libm-test-ulps). A product and the sum add half an ulp each.
constexpr double kModulusTerm = 4;
constexpr double kAngleTerm = 2;
/// How much exp(y log x) may lose in its steps. Errors in the real part of y log x act along the
/// result, errors in its imaginary part across it. Everything is lost if the angle is lost, or if
/// it decides whether a part overflows.
Pair<double> lost_by_logarithm(Doubles x, DType compute) {
  constexpr double kEverything = std::numeric_limits<double>::infinity();
  const double larger = std::fmax(std::abs(x[0].re), std::abs(x[0].im));
  const double smaller = std::fmin(std::abs(x[0].re), std::abs(x[0].im));
  if (!is_finite(x[0]) || !is_finite(x[1]) || larger == 0) return {0, 0};
  const double ratio = smaller / larger;
  const double logarithm = std::log(larger) + 0.5 * std::log1p(ratio * ratio);
  const double argument = std::atan2(x[0].im, x[0].re);
  const double real = x[1].re * logarithm - x[1].im * argument;
  const double angle = x[1].re * argument + x[1].im * logarithm;
  const double ulp = ulp_of(to_real(compute), 1);
  const double along = ulp * (kModulusTerm * std::abs(x[1].re * logarithm) +
                              kAngleTerm * std::abs(x[1].im * argument));
  const double across = ulp * (kAngleTerm * std::abs(x[1].re * argument) +
                               kModulusTerm * std::abs(x[1].im * logarithm));
  if (!(along + across < 0.125)) return {kEverything, kEverything};
  const double largest = std::log(largest_finite(to_real(compute)));
  const auto of_part = [&](double direction, double other) {
    direction = std::abs(direction);
    // Products of two errors are together at most the square of the errors' sum.
    const double lost =
        along * direction + across * std::abs(other) + (along + across) * (along + across);
    if (real + along < largest) return std::exp(real) * lost;
    const double least = direction - lost;
    return least > 0 && real - along + std::log(least) > largest ? 0 : kEverything;
  };
  const double cosine = std::cos(angle), sine = std::sin(angle);
  return {of_part(cosine, sine), of_part(sine, cosine)};
}
/// The exponent, if the case gives a number for it; empty if it is a tensor.
std::vector<ComplexDouble> exponent_number(const Call& call, DType) {
  const Argument& exponent = call.argument("exponent");
  if (exponent.tag != Argument::Tag::kNumber) return {};
  return {number_to<ComplexDouble>(exponent.number)};
}

template <auto F>
ComplexBall by_acb(Balls x) {
  return of<F>(x[0]);
}
template <auto F>
constexpr ComplexDefinition annex_g(std::string_view op, ComplexSpecial special) {
  return {.op = op, .source = kAnnexG, .special = special, .ball = by_acb<F>};
}

ComplexBall scaled_by(const ComplexBall& z, const Ball& factor) {
  return {z.re * factor, z.im * factor};
}
Ball log_of(int base, const ComplexBall& like) { return log(Ball(base, like.re.precision())); }
ComplexBall log_to_base(const ComplexBall& z, int base) {
  const ComplexBall logarithm = of<acb_log>(z);
  const Ball divisor = log_of(base, z);
  return {logarithm.re / divisor, logarithm.im / divisor};
}
ComplexBall logistic(const ComplexBall& z) {
  const ComplexBall one{Ball(1, z.re.precision()), Ball(z.re.precision())};
  return one / (1.0 + of<acb_exp>(-z));
}
ComplexBall silu_backward(Balls x) {
  const ComplexBall gate = logistic(x[1]);
  return x[0] * (gate * (1.0 + x[1] * (1.0 - gate)));
}
/// Computes log(exp(a) + exp(b)) from the operand with the larger real part. If the real parts are
/// equal, it takes the one with the smaller angle, because that is more often the principal one.
ComplexBall logaddexp(Balls x) {
  const int order = arf_cmp(arb_midref(x[0].re.get()), arb_midref(x[1].re.get()));
  const bool nearer = arf_cmpabs(arb_midref(x[0].im.get()), arb_midref(x[1].im.get())) < 0;
  const bool first = order != 0 ? order > 0 : nearer;
  const ComplexBall& larger = first ? x[0] : x[1];
  const ComplexBall& smaller = first ? x[1] : x[0];
  ComplexBall sum = larger + of<acb_log1p>(of<acb_exp>(smaller - larger));
  const Ball turn = pi(sum.im) * 2.0;
  Ball turns = sum.im / turn + 0.5;
  arb_floor(turns.get(), turns.get(), turns.precision());
  // If the imaginary part is outside of -pi to pi, no document says whether it must be the
  // principal angle.
  if (arb_is_zero(turns.get()) == 0) arb_indeterminate(sum.im.get());
  return sum;
}
ComplexBall polar(Balls x) { return {x[0].re * cos(x[1].re), x[0].re * sin(x[1].re)}; }

constexpr ComplexDefinition function(std::string_view op, ComplexFunction ball,
                                     ComplexSpecial special = nullptr,
                                     Zeros zeros = Zeros::kLimit) {
  return {.op = op, .source = kFinite, .special = special, .ball = ball, .zeros = zeros};
}

constexpr ComplexDefinition power(std::string_view op, ComplexAttributes attributes = nullptr) {
  return {.op = op,
          .source = kFinite,
          .special = pow_special,
          .ball = [](Balls x) { return of<acb_pow>(x[0], x[1]); },
          .zeros = Zeros::kCut,
          .steps = lost_by_logarithm,
          .attributes = attributes};
}

constexpr ComplexDefinition kRows[] = {
    annex_g<acb_exp>("exp", not_finite<std::exp<double>, exp_open>),
    annex_g<acb_log>("log", not_finite_or_pole<std::log<double>, no_open_sign, 0>),
    annex_g<acb_sqrt>("sqrt", not_finite<std::sqrt<double>, sqrt_open>),
    annex_g<acb_sin>("sin", not_finite<std::sin<double>, turned<sinh_open>>),
    annex_g<acb_cos>("cos", not_finite<std::cos<double>, cos_open>),
    annex_g<acb_tan>("tan", not_finite<std::tan<double>, turned<tanh_open>>),
    annex_g<acb_asin>("asin", not_finite<std::asin<double>, turned<asinh_open>>),
    annex_g<acb_acos>("acos", not_finite<std::acos<double>, acos_open>),
    annex_g<acb_atan>("atan", atan_special),
    annex_g<acb_sinh>("sinh", not_finite<std::sinh<double>, sinh_open>),
    annex_g<acb_cosh>("cosh", not_finite<std::cosh<double>, cosh_open>),
    annex_g<acb_tanh>("tanh", not_finite<std::tanh<double>, tanh_open>),
    annex_g<acb_asinh>("asinh", not_finite<std::asinh<double>, asinh_open>),
    annex_g<acb_acosh>("acosh", not_finite<std::acosh<double>, acosh_open>),
    annex_g<acb_atanh>("atanh", not_finite_or_pole<std::atanh<double>, atanh_open, 1>),
    function("exp2", [](Balls x) { return of<acb_exp>(scaled_by(x[0], log_of(2, x[0]))); }),
    function("expm1", by_acb<acb_expm1>),
    function("log1p", by_acb<acb_log1p>, open_at<-1>),
    function(
        "log2", [](Balls x) { return log_to_base(x[0], 2); }, open_at<0>),
    function(
        "log10", [](Balls x) { return log_to_base(x[0], 10); }, open_at<0>),
    function("rsqrt", by_acb<acb_rsqrt>, open_at<0>, Zeros::kCut),
    function("sgn", by_acb<acb_sgn>, sgn_special),
    function("sinc", by_acb<acb_sinc_pi>, sinc_special, Zeros::kAny),
    function(
        "sigmoid", [](Balls x) { return logistic(x[0]); }, nullptr, Zeros::kCut),
    function(
        "silu", [](Balls x) { return x[0] * logistic(x[0]); }, nullptr, Zeros::kAny),
    function("silu_backward", silu_backward, nullptr, Zeros::kAny),
    function("logaddexp", logaddexp, nullptr, Zeros::kCut),
    function("polar", polar),
    power("pow", exponent_number),
    power("float_power"),
};

}  // namespace

std::span<const ComplexDefinition> complex_function_definitions() { return kRows; }

}  // namespace upcast::truth
