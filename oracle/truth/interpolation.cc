// The truth of formulas with several steps: the exact value of the whole, rounded once. For each
// formula it also tells what an implementation may lose that rounds each step (steps.h).
#include <cmath>
#include <limits>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/steps.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kIeee = "its formula by IEEE 754-2019, 5.4.1 and 7";

template <const char* const& Name, double Otherwise>
std::vector<double> parameter(const Call& call, DType common) {
  return {in_compute_dtype(call.number(Name, Otherwise), common)};
}
constexpr const char* kAlpha = "alpha";
constexpr const char* kValue = "value";
constexpr const char* kDelta = "delta";

constexpr auto kAdd = [](auto x) { return x[0] + x[2] * x[1]; };
constexpr auto kSub = [](auto x) { return x[0] - x[2] * x[1]; };
constexpr auto kAddCMul = [](auto x) { return x[0] + (x[3] * x[1]) * x[2]; };
constexpr auto kAddCDiv = [](auto x) { return x[0] + (x[3] * x[1]) / x[2]; };
constexpr auto kLerp = [](auto x) { return x[0] + x[2] * (x[1] - x[0]); };
/// lerp computed from its end, as implementations do for weights above 1/2.
constexpr auto kLerpFromEnd = [](auto x) { return x[1] - (x[1] - x[0]) * (1.0 - x[2]); };

/// The weight of lerp if it is a number, which stays in the compute dtype. A weight that is a
/// tensor is the third operand.
std::vector<double> weight(const Call& call, DType common) {
  const Argument& argument = call.argument("weight");
  if (argument.tag != Argument::Tag::kNumber) return {};
  return {in_compute_dtype(argument.number, common)};
}
/// lerp with infinities. Its value is known if both ways of computing it agree.
Special lerp_special(Doubles x) {
  const double from_start = kLerp(x);
  const double from_end = kLerpFromEnd(x);
  if (std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2])) return std::nullopt;
  const bool agree = from_start == from_end || (std::isnan(from_start) && std::isnan(from_end));
  return agree ? Special(from_start) : Special(undocumented());
}
double lerp_steps(Doubles x, DType compute) {
  return std::max(lost_by_steps<decltype(kLerp)>(x, compute),
                  lost_by_steps<decltype(kLerpFromEnd)>(x, compute));
}

/// The filter of a sum with a factor, such as alpha. Without a factor, float64's sum is near the
/// value, because no product is rounded before terms cancel. With one the filter gives NaN.
template <auto F>
double near_without_factor(Doubles x) {
  return x[2] == 1 ? F(x) : std::numeric_limits<double>::quiet_NaN();
}

template <int Sign>
double lost_without_factor(Doubles x) {
  return x[2] == 1 ? lost_by_sum(x[0], Sign * x[1]) : std::numeric_limits<double>::quiet_NaN();
}

/// What the steps of a sum with a factor lose. Without a factor only the sum is rounded, unless it
/// is beyond the range of float32, the smallest compute dtype.
template <auto F>
double sum_steps(Doubles x, DType compute) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const bool is_one_step = x[2] == 1 && std::abs(x[1]) <= kLargest && std::abs(F(x)) <= kLargest;
  return is_one_step ? 0 : lost_by_steps<decltype(F)>(x, compute);
}

template <auto F, int Sign>
constexpr Definition scaled_sum(std::string_view op) {
  Definition row = formula(op, kIeee, F, nullptr, parameter<kAlpha, 1.0>);
  row.steps = sum_steps<F>;
  row.near = near_without_factor<F>;
  row.near_ulp = 1;
  row.rest = lost_without_factor<Sign>;
  return row;
}

/// The quadratic formula of huber_loss, for errors up to delta, which is x[2]. For larger errors
/// the loss is linear.
constexpr auto kQuadratic = [](auto x) { return 0.5 * (x[0] - x[1]) * (x[0] - x[1]); };
constexpr auto kLinearAbove = [](auto x) { return x[2] * ((x[0] - x[1]) - 0.5 * x[2]); };
constexpr auto kLinearBelow = [](auto x) { return x[2] * ((x[1] - x[0]) - 0.5 * x[2]); };

/// Chooses one of huber_loss's three formulas. The error is compared exactly with delta.
template <class F>
auto huber(const auto& x, double a, double b, double delta, F on_formula) {
  const Ball difference = Ball(a, 2200) - Ball(b, 2200);
  const bool negative = arf_sgn(arb_midref(difference.get())) < 0;
  const Ball size = negative ? -difference : difference;
  if (arf_cmp_d(arb_midref(size.get()), delta) <= 0) return on_formula(kQuadratic, x);
  return negative ? on_formula(kLinearBelow, x) : on_formula(kLinearAbove, x);
}
Ball huber_ball(std::span<const Ball> x) {
  return huber(x, middle(x[0]), middle(x[1]), middle(x[2]),
               [](auto formula, const auto& arguments) { return formula(arguments); });
}
/// What the steps of huber_loss lose. With an infinite delta every finite error is below it, and
/// the loss is quadratic. If its square is far beyond the range, nothing is lost: steps lead to
/// infinity too.
double huber_steps(Doubles x, DType compute) {
  const double error = std::abs(x[0] - x[1]);
  if (!std::isfinite(x[0]) || !std::isfinite(x[1])) return 0;
  if (std::isinf(x[2]) && error > 2 * std::sqrt(largest_finite(compute))) return 0;
  return huber(x, x[0], x[1], x[2], [compute](auto formula, const auto& arguments) {
    return lost_by_steps<decltype(formula)>(arguments, compute);
  });
}
/// huber_loss of infinities: the result is infinite, or NaN.
double huber_ieee(Doubles x) {
  const double error = std::abs(x[0] - x[1]);
  return error <= x[2] ? 0.5 * error * error : x[2] * (error - 0.5 * x[2]);
}

constexpr Definition kRows[] = {
    scaled_sum<kAdd, 1>("add"),
    scaled_sum<kSub, -1>("sub"),
    scaled_sum<kSub, -1>("rsub"),
    stepwise_formula("addcmul", kIeee, kAddCMul, nullptr, parameter<kValue, 1.0>),
    stepwise_formula("addcdiv", kIeee, kAddCDiv, nullptr, parameter<kValue, 1.0>),
    {.op = "lerp",
     .source = "torch.lerp: start + weight (end - start); infinities only where end - (end - "
               "start) (1 - weight) gives the same",
     .special = lerp_special,
     .ball = [](std::span<const Ball> x) { return kLerp(x); },
     .ieee = [](Doubles x) { return kLerp(x); },
     .attributes = weight,
     .steps = lerp_steps,
     .either_zero = true},
    stepwise_formula("mse_loss", kIeee, [](auto x) { return (x[0] - x[1]) * (x[0] - x[1]); }),
    {.op = "huber_loss",
     .source =
         "torch.nn.HuberLoss; where the error and delta are infinite, the limit of both formulas",
     .ball = huber_ball,
     .ieee = huber_ieee,
     .attributes = parameter<kDelta, 1.0>,
     .steps = huber_steps},
};

}  // namespace

std::span<const Definition> interpolation_definitions() { return kRows; }

}  // namespace upcast::truth
