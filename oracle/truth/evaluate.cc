#include "oracle/truth/evaluate.h"

#include <xmmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "oracle/truth/rounding.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr slong kMpfrPrecision = 64;
// The smallest result that a filter may decide: below it float64 loses digits.
constexpr double kSmallestNear = 0x1p-960;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

using Mpfr = Owned<mpfr_t, mpfr_init2, mpfr_clear>;

void set_parts(arf_srcptr exact, Value& value) {
  value.high = arf_get_d(exact, ARF_RND_NEAR);
  value.low = 0;
  if (!std::isfinite(value.high)) return;
  Arf rest, high;
  arf_set_d(high.get(), value.high);
  arf_sub(rest.get(), exact, high.get(), 60, ARF_RND_NEAR);
  value.low = arf_get_d(rest.get(), ARF_RND_NEAR);
}

/// Enlarges the leeway so that it covers what both ends of an interval round to.
void reach_for_ends(DType dtype, double error, Value& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double direction : {-kInfinity, kInfinity}) {
    const double limit = direction < 0 ? value.high - error : value.high + error;
    const double end = round_once(dtype, std::nextafter(limit, direction));
    // out of range: decided only if the right value is that infinity, and so is the other end
    if (!std::isfinite(end) || !std::isfinite(value.rounded))
      value.decided = value.decided && end == value.rounded;
    else
      value.leeway = std::max(value.leeway, std::abs(end - value.rounded));
  }
}

}  // namespace

Value round_known(DType dtype, Known known) {
  Value value{.high = known.value, .low = known.low};
  const auto rounded = safe_rounding(dtype)(known.value, std::abs(known.low));
  value.rounded = rounded ? *rounded : round_once(dtype, known.value);
  if (!rounded && known.low != 0) {
    Arf sum, low;
    arf_set_d(sum.get(), known.value);
    arf_set_d(low.get(), known.low);
    arf_add(sum.get(), sum.get(), low.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
    value.rounded = round_once(dtype, sum.get());
  }
  value.decided = known.doubt != Doubt::kEverything;
  if (!value.decided) value.gap = Gap::kUndocumented;
  if (known.doubt == Doubt::kSignOfZero) value.leeway = std::numeric_limits<double>::denorm_min();
  return value;
}

void set_leeway(DType dtype, DType compute, double error, Value& value) {
  if (!value.decided) return;
  if (!std::isfinite(value.high) || !std::isfinite(error)) {
    value.decided = error == 0;
    if (!value.decided) value.gap = Gap::kOverflow;
    return;
  }
  const bool is_exact = value.low == 0 && round_once(compute, value.high) == value.high;
  if (error == 0 && (compute == dtype || is_exact)) return;
  // The answer is rounded to the dtype `compute` first, and then to the result dtype.
  if (compute != dtype) error += ulp_of(compute, value.high) / 2;
  if (!safe_rounding(dtype)(value.high, error)) reach_for_ends(dtype, error, value);
  if (!value.decided) value.gap = Gap::kOverflow;
  // A zero may have either sign, whether it comes of a difference or of a value that is too small.
  if (value.leeway == 0 && value.rounded == 0)
    value.leeway = std::numeric_limits<double>::denorm_min();
}

void allow_two_roundings(DType dtype, DType compute, Value& value) {
  const bool is_exact = value.low == 0 && round_once(compute, value.high) == value.high;
  if (!value.decided || !std::isfinite(value.high) || is_exact) return;
  const double half = ulp_of(compute, value.high) / 2;
  if (safe_rounding(dtype)(value.high, half)) return;
  for (const double limit : {value.high - half, value.high + half}) {
    const double end = round_once(dtype, limit);
    if (std::isfinite(end) != std::isfinite(value.rounded))
      value.decided = false;
    else if (std::isfinite(end))
      value.leeway = std::max(value.leeway, std::abs(end - value.rounded));
  }
}

std::optional<Value> round_ball(const Ball& ball, DType dtype, double zero, bool is_last) {
  const slong precision = ball.precision();
  if (arb_is_finite(ball.get()) == 0) return std::nullopt;
  if (arb_is_zero(ball.get()) != 0)
    return round_known(dtype, std::isnan(zero) ? zero_of_any_sign() : Known(zero));
  Arf lower, upper;
  arb_get_lbound_arf(lower.get(), ball.get(), precision);
  arb_get_ubound_arf(upper.get(), ball.get(), precision);
  Value value;
  value.rounded = round_once(dtype, lower.get());
  set_parts(arb_midref(ball.get()), value);
  const double from_above = round_once(dtype, upper.get());
  if (same_bits(value.rounded, from_above)) return value;
  // Both bounds round to zero; the value may be of either sign.
  if (value.rounded == 0 && from_above == 0) {
    if (std::isnan(zero)) return std::nullopt;
    value.rounded = zero;
    return value;
  }
  if (!is_last || arb_rel_accuracy_bits(ball.get()) < precision / 2) return std::nullopt;
  Arf exact_value;
  arf_set_round(exact_value.get(), arb_midref(ball.get()), precision / 4, ARF_RND_NEAR);
  value.rounded = round_once(dtype, exact_value.get());
  return value;
}

Evaluator::Evaluator(const Definition& definition, DType dtype, Memo<Value>* memo)
    : definition_(definition), dtype_(dtype), memo_(memo), safe_(safe_rounding(dtype)) {}

/// The zero, with its sign, that IEEE arithmetic gives for these arguments.
double Evaluator::zero_of(std::span<const double> x) const {
  const double value = definition_.ieee != nullptr ? definition_.ieee(x) : 0.0;
  return value == 0 ? value : 0.0;
}

/// Decides results beyond the range of every dtype except float64, and NaN, by the exceptions that
/// glibc's functions raise. It asks only functions that MPFR has too. They raise overflow for an
/// infinity that is no pole, underflow for a zero that is none, and invalid for a NaN. Half of all
/// float32 are such inputs of exp, sqrt or log.
std::optional<Value> Evaluator::beyond_range(std::span<const double> x, double near) const {
  if (definition_.mpfr_unary == nullptr && definition_.mpfr_binary == nullptr) return std::nullopt;
  if (near == 0 || !std::isfinite(near)) {
    const unsigned before =
        // Reads the flags directly, because <cfenv> also asks the x87 unit, which takes ten times
        // as long.
        _mm_getcsr();
    _mm_setcsr(before & ~_MM_EXCEPT_MASK);
    near = definition_.near(x);
    const unsigned raised = _mm_getcsr() & _MM_EXCEPT_MASK;
    _mm_setcsr(before);
    const unsigned wanted = near == 0          ? _MM_EXCEPT_UNDERFLOW
                            : std::isinf(near) ? _MM_EXCEPT_OVERFLOW
                                               : _MM_EXCEPT_INVALID;
    const unsigned others = (_MM_EXCEPT_DIV_ZERO | _MM_EXCEPT_INVALID) & ~wanted;
    if ((raised & wanted) == 0 || (raised & others) != 0) return std::nullopt;
  }
  if (!std::isfinite(near)) return known(near);
  return Value{.rounded = round_once(dtype_, near), .high = near};
}

std::optional<Value> Evaluator::by_filter(std::span<const double> x) const {
  if (definition_.near == nullptr || dtype_ == DType::kFloat64) return std::nullopt;
  const double near = definition_.near(x);
  if (!std::isfinite(near) || std::abs(near) < kSmallestNear) return beyond_range(x, near);
  if (definition_.rest != nullptr) {
    if (const double rest = definition_.rest(x); std::isfinite(rest)) return known({near, rest});
  }
  const double bound = kNearMargin * definition_.near_ulp * std::numeric_limits<double>::epsilon();
  if (const std::optional<double> rounded = safe_(near, std::abs(near) * bound))
    return Value{.rounded = *rounded, .high = near};
  const double rounded = round_once(dtype_, near * (1 - bound));
  if (!same_bits(rounded, round_once(dtype_, near * (1 + bound)))) return std::nullopt;
  return Value{.rounded = rounded, .high = near};
}

std::optional<Value> Evaluator::by_ball(std::span<const double> x, slong precision) const {
  std::vector<Ball> exact;
  exact.reserve(x.size());
  for (const double v : x) exact.emplace_back(v, precision);
  const Ball ball = definition_.ball(exact);
  const bool is_last = precision >= kLastPrecision;
  // The sign of a value that is too small is known from a formula in float64, or from more digits.
  const bool sign_is_told = definition_.ieee != nullptr || is_last || arb_is_zero(ball.get()) != 0;
  return round_ball(ball, dtype_, sign_is_told ? zero_of(x) : std::nan(""), is_last);
}

Value Evaluator::by_mpfr(std::span<const double> x) const {
  Mpfr result(kMpfrPrecision);
  Mpfr first(53), second(53);
  mpfr_set_d(first.get(), x[0], MPFR_RNDN);
  int inexact = 0;
  if (definition_.mpfr_unary != nullptr) {
    inexact = definition_.mpfr_unary(result.get(), first.get(), MPFR_RNDZ);
  } else {
    mpfr_set_d(second.get(), x[1], MPFR_RNDN);
    inexact = definition_.mpfr_binary(result.get(), first.get(), second.get(), MPFR_RNDZ);
  }
  if (mpfr_regular_p(result.get()) == 0) return known(mpfr_get_d(result.get(), MPFR_RNDN));
  Arf exact;
  arf_set_mpfr(exact.get(), result.get());
  // Adds a small rest beyond the last digit of MPFR's result, so that rounding it to the dtype sees
  // no false tie.
  if (inexact != 0) {
    Arf sticky;
    arf_set_si_2exp_si(sticky.get(), mpfr_sgn(result.get()),
                       mpfr_get_exp(result.get()) - kMpfrPrecision - 2);
    arf_add(exact.get(), exact.get(), sticky.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
  }
  Value value{.rounded = round_once(dtype_, exact.get())};
  set_parts(exact.get(), value);
  return value;
}

Value Evaluator::operator()(std::span<const double> x) {
  Value value = exact_value(x);
  if (definition_.either_zero && value.rounded == 0)
    value.leeway = std::numeric_limits<double>::denorm_min();
  if (definition_.steps != nullptr && value.decided)
    set_leeway(dtype_, compute_dtype(dtype_), definition_.steps(x, compute_dtype(dtype_)), value);
  return value;
}

Value Evaluator::exact_value(std::span<const double> x) {
  if (definition_.special != nullptr)
    if (const std::optional<Known> special = definition_.special(x))
      return ++decided_.special, known(*special);
  const bool has_mpfr = definition_.mpfr_unary != nullptr || definition_.mpfr_binary != nullptr;
  const bool finite = std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  if (!finite && !has_mpfr) {
    ++decided_.special;
    if (definition_.ieee != nullptr) return known(definition_.ieee(x));
    return known(std::numeric_limits<double>::quiet_NaN());
  }
  if (x.size() == 1 && std::isnan(x[0])) return ++decided_.special, known(x[0]);  // Annex F.10
  // Balls have one zero only. So MPFR is asked if an argument is a zero whose sign may count.
  const bool has_zero = std::any_of(x.begin(), x.end(), [](double v) { return v == 0; });
  const bool has_ball = finite && !(has_zero && has_mpfr);
  if (has_ball)
    if (const auto value = by_filter(x)) return ++decided_.filter, *value;
  const auto slowly = [&] { return slow_value(x, has_ball, has_mpfr); };
  return memo_ == nullptr ? slowly() : memo_->get(memo_key(&definition_, dtype_, x), slowly);
}

Value Evaluator::slow_value(std::span<const double> x, bool has_ball, bool has_mpfr) {
  if (has_ball && definition_.ball != nullptr) {
    const slong last = has_mpfr ? kFirstPrecision : kLastPrecision;
    for (slong precision = kFirstPrecision; precision <= last; precision *= 2)
      if (const auto value = by_ball(x, precision)) return ++decided_.ball, *value;
  }
  if (has_mpfr) return ++decided_.mpfr, by_mpfr(x);
  // Neither a ball nor MPFR gave a value: it is a pole, or cannot be computed.
  if (definition_.ieee != nullptr && !std::isfinite(definition_.ieee(x)))
    return ++decided_.special, known(definition_.ieee(x));
  ++decided_.undecided;
  return {.rounded = std::numeric_limits<double>::quiet_NaN(),
          .decided = false,
          .gap = Gap::kPrecision};
}

}  // namespace upcast::truth
