#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/truth/complex_definition.h"

namespace upcast::truth {
namespace {

/// The last precision that is tried, in bits. 1 plus the square of a tiny argument needs this many.
constexpr slong kLastComplexPrecision = 6144;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// The exponent of a number that is smaller than the square of the smallest float64.
constexpr slong kTinyExponent = -2400;

bool is_finite(ComplexDouble z) { return std::isfinite(z.re) && std::isfinite(z.im); }

Ball exact_or_tiny(double value, bool tiny, slong precision) {
  if (value != 0 || !tiny) return {value, precision};
  Ball ball(std::signbit(value) ? -1 : 1, precision);
  arb_mul_2exp_si(ball.get(), ball.get(), kTinyExponent);
  return ball;
}

std::vector<ComplexBall> balls_of(std::span<const ComplexDouble> x, bool tiny, slong precision) {
  std::vector<ComplexBall> balls;
  balls.reserve(x.size());
  for (const ComplexDouble z : x)
    balls.push_back({exact_or_tiny(z.re, tiny, precision), exact_or_tiny(z.im, tiny, precision)});
  return balls;
}

bool has_zero(std::span<const ComplexDouble> x) {
  return std::any_of(x.begin(), x.end(), [](ComplexDouble z) { return z.re == 0 || z.im == 0; });
}

/// Rounds one part. `exact` is its ball, `limit` the ball for an argument that was moved off the
/// branch cut. If the part is 0, it takes the sign of the limit. Otherwise the limit is rounded,
/// because it is on the right side of the cut.
std::optional<Value> round_limit(const Ball& exact, const Ball& limit, DType part, bool is_last) {
  if (arb_is_zero(exact.get()) == 0) return round_ball(limit, part, kNaN, is_last);
  if (arb_is_positive(limit.get()) != 0) return Value{};
  if (arb_is_negative(limit.get()) != 0) return Value{.rounded = -0.0};
  return is_last ? std::optional(round_known(part, zero_of_any_sign())) : std::nullopt;
}

/// Whether exactly one part overflows, so that the other part may have any error.
bool one_overflows(const Value& re, const Value& im) {
  return std::isinf(re.rounded) != std::isinf(im.rounded);
}

std::pair<Value, Value> undecided(Gap gap) {
  const Value value{.rounded = kNaN, .decided = false, .gap = gap};
  return {value, value};
}

}  // namespace

ComplexEvaluator::ComplexEvaluator(const ComplexDefinition& definition, DType part, DType compute,
                                   Memo<std::pair<Value, Value>>* memo)
    : definition_(definition), part_(part), compute_(compute), memo_(memo) {
  if (!definition.real_function.empty())
    real_.emplace(*find_definition(definition.real_function), part);
}

std::pair<Value, Value> ComplexEvaluator::operator()(std::span<const ComplexDouble> x) {
  if (real_) return {(*real_)(std::array{x[0].im, x[0].re}), Value{}};
  auto [re, im] = exact_value(x);
  if (definition_.zeros != Zeros::kLimit)
    for (Value* value : {&re, &im})
      if (value->rounded == 0 && value->leeway == 0)
        value->leeway = std::numeric_limits<double>::denorm_min();
  if (definition_.steps != nullptr && re.decided && im.decided) set_leeway(x, re, im);
  return {re, im};
}

std::pair<Value, Value> ComplexEvaluator::exact_value(std::span<const ComplexDouble> x) const {
  if (definition_.special != nullptr)
    if (const auto known = definition_.special(x))
      return {round_known(part_, known->re), round_known(part_, known->im)};
  if (definition_.ball == nullptr || !std::all_of(x.begin(), x.end(), is_finite))
    return undecided(Gap::kNotFinite);
  const auto by_balls = [&] { return value_of_balls(x); };
  return memo_ == nullptr ? by_balls() : memo_->get(memo_key(&definition_, part_, x), by_balls);
}

std::pair<Value, Value> ComplexEvaluator::value_of_balls(std::span<const ComplexDouble> x) const {
  const bool limits = definition_.zeros != Zeros::kAny && has_zero(x);
  std::optional<Value> re;
  std::optional<Value> im;
  for (slong precision = kFirstPrecision; precision <= kLastComplexPrecision && !(re && im);
       precision *= 2) {
    const bool is_last = 2 * precision > kLastComplexPrecision;
    const ComplexBall exact = definition_.ball(balls_of(x, false, precision));
    if (limits) {
      const ComplexBall limit = definition_.ball(balls_of(x, true, precision));
      if (!re) re = round_limit(exact.re, limit.re, part_, is_last);
      if (!im) im = round_limit(exact.im, limit.im, part_, is_last);
    } else {
      const double zero = definition_.zeros == Zeros::kLimit ? kNaN : 0.0;
      if (!re) re = round_ball(exact.re, part_, zero, is_last);
      if (!im) im = round_ball(exact.im, part_, zero, is_last);
    }
  }
  if (!re || !im) return undecided(Gap::kPrecision);
  if (one_overflows(*re, *im)) return undecided(Gap::kOverflow);
  return {*re, *im};
}

void ComplexEvaluator::set_leeway(std::span<const ComplexDouble> x, Value& re, Value& im) const {
  // Errors count relative to the larger part, because the judge counts them so.
  const Pair<double> lost = definition_.steps(x, compute_);
  const double error = std::max(lost.re, lost.im);
  truth::set_leeway(part_, compute_, error, re);
  truth::set_leeway(part_, compute_, error, im);
}

const ComplexDefinition* find_complex_definition(std::string_view op) {
  for (const auto rows : {complex_arithmetic_definitions(), complex_function_definitions()})
    for (const ComplexDefinition& row : rows)
      if (row.op == op) return &row;
  return nullptr;
}

}  // namespace upcast::truth
