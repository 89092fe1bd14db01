// The truth of activations, and of functions made of elementary ones: one formula each, with exact
// parameters.
#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/steps.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kLimits = "its limits";

/// The limits of x * f(x) at the infinities, for a gate f: towards -infinity f falls to 0 faster
/// than x grows, towards infinity it rises to 1.
Special gate_limits(Doubles x) {
  if (!std::isinf(x[0])) return std::nullopt;
  return x[0] > 0 ? kInf : -0.0;
}

constexpr auto kLogistic = [](const auto& x) { return 1.0 / (1.0 + exp(-x)); };

Special logaddexp_special(Doubles x) {
  if (std::isinf(x[0]) && x[0] == x[1]) return x[0];
  if ((x[0] == 0 && x[1] == -kInf) || (x[1] == 0 && x[0] == -kInf)) return 0.0;  // log(1)
  return std::nullopt;
}

/// Computes log(exp(a) + exp(b)) as the larger operand plus a small term.
Ball logaddexp(Balls x) {
  const bool first = arf_cmp(arb_midref(x[0].get()), arb_midref(x[1].get())) > 0;
  const Ball& larger = first ? x[0] : x[1];
  const Ball& smaller = first ? x[1] : x[0];
  return larger + log1p(exp(smaller - larger));
}
Ball logaddexp2(Balls x) {
  const bool first = arf_cmp(arb_midref(x[0].get()), arb_midref(x[1].get())) > 0;
  const Ball& larger = first ? x[0] : x[1];
  const Ball& smaller = first ? x[1] : x[0];
  if (arb_equal(larger.get(), smaller.get()) != 0) return larger + 1.0;
  const Ball ln2 = log_of_2(larger);
  return larger + log1p(exp((smaller - larger) * ln2)) / ln2;
}
double logaddexp_ieee(Doubles x) {
  return std::isnan(x[0]) || std::isnan(x[1]) ? x[0] + x[1] : std::max(x[0], x[1]) + 0.0;
}

Special xlogy_special(Doubles x) {
  if (std::isnan(x[1])) return x[1];
  if (x[0] == 0) return 0.0;
  return std::nullopt;
}

Special softplus_special(Doubles x) {
  const double product = x[3] == 1 ? static_cast<float>(x[0] * x[1]) : x[0] * x[1];
  if (product > x[2]) return x[0];
  return product == -kInf ? Special(std::copysign(0.0, x[1])) : std::nullopt;
}

Special hardsigmoid_special(Doubles x) {
  if (x[0] <= -3) return 0.0;
  return x[0] >= 3 ? Special(1.0) : std::nullopt;
}
Special hardswish_special(Doubles x) {
  if (x[0] <= -3) return -0.0;
  return x[0] >= 3 ? Special(x[0]) : std::nullopt;
}

/// Special values of elu, whose arguments are x, alpha, scale and input_scale. For x above 0 elu is
/// the product of x and scale, rounded once.
Special elu_special(Doubles x) {
  if (x[0] == 0) return x[0] * x[2];
  if (x[0] > 0 && x[2] == 1) return x[0];
  return std::nullopt;
}
std::vector<double> elu_parameters(const Call& call, DType common) {
  return {in_compute_dtype(call.number("alpha", 1), common),
          in_compute_dtype(call.number("scale", 1), common),
          in_compute_dtype(call.number("input_scale", 1), common)};
}
/// selu's constants, from Klambauer and others, "Self-normalizing neural networks", 2017.
std::vector<double> selu_parameters(const Call&, DType common) {
  return {in_compute_dtype(1.6732632423543772848, common),
          in_compute_dtype(1.0507009873554804934, common), 1};
}

constexpr auto kElu = [](const auto& x) {
  if (is_positive(x[0])) return x[0] * x[2];
  return expm1(x[0] * x[3]) * (x[1] * x[2]);
};

constexpr auto kGelu = [](const auto& x) { return x * erfc(-x / sqrt(x * 0.0 + 2.0)) / 2.0; };
/// gelu's approximation by tanh. PyTorch's constant is the decimal 0.044715 in float64.
constexpr auto kGeluTanh = [](const auto& x) {
  const auto inner = sqrt(2.0 / pi(x)) * (x + 0.044715 * x * x * x);
  return x / (1.0 + exp(-2.0 * inner));
};

/// The parameters that make elu compute celu: scale is 1, input_scale is 1 / alpha.
std::vector<double> celu_parameters(const Call& call, DType common) {
  const Number alpha = call.number("alpha", 1.0);
  return {in_compute_dtype(alpha, common), 1,
          in_compute_dtype(1.0 / number_to<double>(alpha), common)};
}

/// The bounds to which logit first clamps self. Without eps they do not change self.
std::vector<double> logit_bounds(const Call& call, DType common) {
  const Argument& eps = call.argument("eps");
  if (eps.tag != Argument::Tag::kNumber || !(number_to<double>(eps.number) >= 0))
    return {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
  const double low = in_compute_dtype(eps.number, common);
  return {low, in_compute_dtype(1 - low, common)};
}
double logit_place(Doubles x) { return x[0] < x[1] ? x[1] : x[0] > x[2] ? x[2] : x[0]; }
Special logit_special(Doubles x) {
  const double place = logit_place(x);
  if (!(place >= 0 && place <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (place == 0) return -kInf;
  if (place == 1) return kInf;
  if (std::isfinite(x[0])) return std::nullopt;
  // An infinite operand was clamped to a bound, which is a number.
  const Ball bound(place, 192);
  const Ball value = log(bound / (1.0 - bound));
  const double high = middle(value);
  return Known(high, middle(value - high));
}
Ball logit(Balls x) {
  const bool below = arf_cmp(arb_midref(x[0].get()), arb_midref(x[1].get())) < 0;
  const bool above = arf_cmp(arb_midref(x[0].get()), arb_midref(x[2].get())) > 0;
  const Ball& place = below ? x[1] : above ? x[2] : x[0];
  return log(place / (1.0 - place));
}

/// Special values of softshrink, which is 0 for x from -lambd to lambd. Either zero is right.
Special softshrink_special(Doubles x) {
  if (std::isnan(x[0])) return undocumented();
  return x[0] >= -x[1] && x[0] <= x[1] ? Special(zero_of_any_sign()) : std::nullopt;
}
std::vector<double> lambd(const Call& call, DType common) {
  return {in_compute_dtype(call.number("lambd", 0.5), common)};
}

/// The slope of rrelu. Without training it is the mean of both bounds.
std::vector<double> mean_slope(const Call& call, DType common) {
  const double low = number_to<double>(call.number("lower", 0.125));
  const double high = number_to<double>(call.number("upper", 0.3333333333333333));
  return {in_compute_dtype((low + high) / 2, common)};
}
Special self_above_0(Doubles x) { return x[0] > 0 ? Special(x[0]) : std::nullopt; }

constexpr Definition kRows[] = {
    near_formula("sigmoid", kLimits, [](auto x) { return kLogistic(x[0]); }),
    formula(
        "silu", kLimits, [](auto x) { return x[0] / (1.0 + exp(-x[0])); }, gate_limits),
    formula(
        "mish", kLimits, [](auto x) { return x[0] * tanh(log1p(exp(x[0]))); }, gate_limits),
    formula(
        "log_sigmoid", kLimits, [](auto x) { return -log1p(exp(-x[0])); },
        [](Doubles x) {
          return std::isinf(x[0]) ? Special(x[0] > 0 ? -0.0 : -kInf) : std::nullopt;
        }),
    {.op = "logit",
     .source = kLimits,
     .special = logit_special,
     .ball = logit,
     .attributes = logit_bounds},
    Definition{
        .op = "gelu",
        .source = kLimits,
        .special = gate_limits,
        .ball =
            [](Balls x) { return arb_is_zero(x[1].get()) != 0 ? kGelu(x[0]) : kGeluTanh(x[0]); },
        .ieee = [](Doubles x) { return x[1] == 0 ? kGelu(x[0]) : kGeluTanh(x[0]); },
        .attributes = gelu_mode},
    Definition{
        .op = "softplus",
        .source = "the identity where beta * x, in the compute dtype, is above the threshold",
        .special = softplus_special,
        .ball = [](Balls x) { return log1p(exp(x[0] * x[1])) / x[1]; },
        .ieee = [](Doubles x) { return std::log1p(std::exp(x[0] * x[1])) / x[1]; },
        .attributes = softplus_terms},
    stepwise_formula(
        "leaky_relu", kLimits, [](auto x) { return x[0] * x[1]; }, self_above_0, slope),
    stepwise_formula(
        "rrelu", "torch.nn.RReLU in evaluation", [](auto x) { return x[0] * x[1]; }, self_above_0,
        mean_slope),
    stepwise_formula(
        "_prelu_kernel", "torch.nn.PReLU", [](auto x) { return x[0] * x[1]; }, self_above_0),
    formula(
        "softshrink", "torch.nn.Softshrink; NaN and the sign of a zero are not defined",
        [](auto x) { return is_positive(x[0]) ? x[0] - x[1] : x[0] + x[1]; }, softshrink_special,
        lambd),
    Definition{.op = "logaddexp",
               .source = kLimits,
               .special = logaddexp_special,
               .ball = logaddexp,
               .ieee = logaddexp_ieee},
    Definition{.op = "logaddexp2",
               .source = kLimits,
               .special = logaddexp_special,
               .ball = logaddexp2,
               .ieee = logaddexp_ieee},
    formula(
        "xlogy", kLimits, [](auto x) { return x[0] * log(x[1]); }, xlogy_special),
    formula(
        "special_xlog1py", kLimits, [](auto x) { return x[0] * log1p(x[1]); }, xlogy_special),
    formula(
        "hardsigmoid", kLimits, [](auto x) { return (x[0] + 3.0) / 6.0; }, hardsigmoid_special),
    formula(
        "hardswish", kLimits, [](auto x) { return x[0] * (x[0] + 3.0) / 6.0; }, hardswish_special),
    formula(
        "elu", kLimits, [](auto x) { return kElu(x); }, elu_special, elu_parameters),
    formula(
        "celu", "torch.nn.CELU", [](auto x) { return kElu(x); }, elu_special, celu_parameters),
    formula(
        "selu", kLimits, [](auto x) { return kElu(x); }, elu_special, selu_parameters),
};

}  // namespace

std::span<const Definition> activation_definitions() { return kRows; }

}  // namespace upcast::truth
