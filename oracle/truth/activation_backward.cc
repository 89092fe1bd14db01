// The truth of activations' gradients: the incoming gradient times the derivative, both exact. x[0]
// is the gradient, x[1] the activation's argument.
#include <algorithm>
#include <cmath>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/steps.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kLimits = "the derivative's limits";

/// Whether the derivative of x * f(x) is negative at the argument. The derivative falls to 0 from
/// below towards -infinity, and rises to 1 towards infinity.
template <auto Formula>
bool is_falling(Doubles x) {
  constexpr slong kPrecision = 96;
  if (x[1] < -100) return true;  // exp(x) of such an x may be too small for a ball
  std::vector<Ball> exact{Ball(1, kPrecision)};
  for (const double v : x.subspan(1)) exact.emplace_back(v, kPrecision);
  const Ball derivative = Formula(Balls(exact));
  return arf_sgn(arb_midref(derivative.get())) < 0;
}

/// Special values of a gated gradient. An infinite incoming gradient stays infinite, with its sign
/// times the derivative's.
template <auto Formula>
Special gate_special(Doubles x) {
  if (std::isnan(x[0]) || std::isnan(x[1])) return kNaN;
  if (std::isinf(x[1])) return x[0] * (x[1] > 0 ? 1.0 : -0.0);
  if (std::isinf(x[0])) return is_falling<Formula>(x) ? -x[0] : x[0];
  return std::nullopt;
}

/// The zero that a gated gradient gives for a zero, or for a value too small for the dtype. Its
/// sign is that of x[0] times the derivative's.
template <auto Formula>
double gate_zero(Doubles x) {
  return std::copysign(0.0, is_falling<Formula>(x) ? -x[0] : x[0]);
}

template <auto Formula>
constexpr Definition gate(std::string_view op, AttributesFunction attributes = nullptr) {
  return {.op = op,
          .source = kLimits,
          .special = gate_special<Formula>,
          .ball = [](Balls x) { return Formula(x); },
          .ieee = gate_zero<Formula>,
          .attributes = attributes};
}

Ball logistic(const Ball& x) { return 1.0 / (1.0 + exp(-x)); }

Ball silu(Balls x) {
  const auto gate = logistic(x[1]);
  return x[0] * (gate * (1.0 + x[1] * (1.0 - gate)));
}

Ball mish(Balls x) {
  const auto gate = tanh(log1p(exp(x[1])));
  return x[0] * (gate + x[1] * (1.0 - gate * gate) * logistic(x[1]));
}

/// The derivative of gelu: Phi(x) + x phi(x). With the approximation by tanh it is that formula's
/// derivative, whose constant is the decimal 0.044715 in float64.
Ball gelu(Balls arguments) {
  const Ball& x = arguments[1];
  if (arb_is_zero(arguments[2].get()) != 0) {
    const Ball root_of_2 = sqrt(Ball(2, x.precision()));
    return arguments[0] *
           (erfc(-x / root_of_2) / 2.0 + x * exp(x * x * -0.5) / (root_of_2 * sqrt(pi(x))));
  }
  const Ball slope = sqrt(2.0 / pi(x));
  const Ball gate = logistic(2.0 * slope * (x + 0.044715 * x * x * x));
  const Ball inner_slope = slope * (1.0 + 3.0 * Ball(0.044715, x.precision()) * x * x);
  return arguments[0] * gate * (1.0 + 2.0 * x * (1.0 - gate) * inner_slope);
}

/// The bounds between which logit has a gradient, and a flag: whether the gradient outside them is
/// NaN, and not 0. It is a flag, because a NaN among the arguments would count as a NaN operand.
std::vector<double> logit_bounds(const Call& call, DType common) {
  const Argument& eps = call.argument("eps");
  if (eps.tag != Argument::Tag::kNumber || !(number_to<double>(eps.number) >= 0)) return {0, 1, 1};
  const double low = in_compute_dtype(eps.number, common);
  return {low, in_compute_dtype(1 - low, common), 0};
}
Special logit_special(Doubles x) {
  if (x[1] >= x[2] && x[1] <= x[3]) return std::nullopt;
  return Special(x[4] == 1 ? kNaN : 0.0);
}

/// The arguments of elu_backward: the gradient, self or elu's result, then alpha, scale,
/// input_scale, is_result.
std::vector<double> elu_parameters(const Call& call, DType common) {
  return {in_compute_dtype(call.number("alpha", 1), common),
          in_compute_dtype(call.number("scale", 1), common),
          in_compute_dtype(call.number("input_scale", 1), common),
          number_to<bool>(call.number("is_result", false)) ? 1.0 : 0.0};
}
constexpr auto kElu = [](const auto& x) {
  if (is_positive(x[1])) return x[0] * x[3];
  if (is_positive(x[5])) return x[0] * (x[4] * (x[1] + x[2] * x[3]));
  return x[0] * (x[4] * x[2] * x[3] * exp(x[1] * x[4]));
};

/// Special values of elu's gradient. For a negative argument it is a product with an exponential,
/// which is positive. So an infinite gradient, or 0, takes the sign of the other factors.
Special elu_special(Doubles x) {
  const bool is_finite =
      std::all_of(x.begin() + 1, x.end(), [](double v) { return std::isfinite(v); });
  const bool is_result = x[5] == 1;
  const bool is_extreme = x[0] == 0 || std::isinf(x[0]);
  if (!is_extreme || !is_finite || x[1] > 0 || is_result) return std::nullopt;
  const double value = x[0] * x[2] * x[3] * x[4];
  return std::isnan(value) ? kNaN : value;
}

Special softplus_special(Doubles x) {
  const double product = x[4] == 1 ? static_cast<float>(x[1] * x[2]) : x[1] * x[2];
  if (product > x[3]) return x[0];
  const bool is_positive = std::isfinite(x[1]) && std::isfinite(x[2]);
  return std::isinf(x[0]) && is_positive ? Special(x[0]) : std::nullopt;
}

/// Special values of hardswish's gradient. At a kink the derivative from either side is right, so
/// the element is not judged.
Special hardswish_special(Doubles x) {
  if (std::abs(x[1]) == 3) return undocumented();
  if (x[1] < -3) return zero_of_any_sign();
  return x[1] > 3 ? Special(x[0]) : std::nullopt;
}

Special hardsigmoid_special(Doubles x) {
  return x[1] > -3 && x[1] < 3 ? std::nullopt : Special(0.0);
}

/// tanh's gradient for special values. One order of the factors would not give every zero its sign,
/// because inf * 0 is NaN.
double tanh_ieee(Doubles x) {
  if (std::abs(x[1]) > 2) return x[0] * (1 - x[1]) * (1 + x[1]);
  return x[0] * ((1 - x[1]) * (1 + x[1]));
}

constexpr Definition kRows[] = {
    formula("sigmoid_backward", kLimits, [](auto x) { return x[0] * (1.0 - x[1]) * x[1]; }),
    {.op = "tanh_backward",
     .source = kLimits,
     .ball = [](Balls x) { return x[0] * (1.0 - x[1]) * (1.0 + x[1]); },
     .ieee = tanh_ieee},
    gate<silu>("silu_backward"),
    gate<mish>("mish_backward"),
    gate<gelu>("gelu_backward", gelu_mode),
    formula(
        "logit_backward", "NaN outside of [0, 1]; 0 outside of [eps, 1 - eps]",
        [](auto x) { return x[0] / (x[1] * (1.0 - x[1])); }, logit_special, logit_bounds),
    formula(
        "elu_backward", kLimits, [](auto x) { return kElu(x); }, elu_special, elu_parameters),
    formula(
        "softplus_backward",
        "the gradient itself where beta * x, in the compute dtype, is above the threshold",
        [](auto x) { return x[0] / (1.0 + exp(-(x[1] * x[2]))); }, softplus_special,
        softplus_terms),
    formula(
        "hardswish_backward", "the derivative of torch.nn.Hardswish",
        [](auto x) { return x[0] * ((2.0 * x[1] + 3.0) / 6.0); }, hardswish_special),
    stepwise_formula(
        "leaky_relu_backward", "the derivative of torch.nn.LeakyReLU",
        [](auto x) { return x[1] * x[2]; },
        [](Doubles x) { return x[0] > 0 ? Special(x[1]) : std::nullopt; }, slope),
    formula(
        "hardsigmoid_backward", "0 outside of (-3, 3), also where the other operand is NaN",
        [](auto x) { return x[0] / 6.0; }, hardsigmoid_special),
};

}  // namespace

std::span<const Definition> activation_backward_definitions() { return kRows; }

}  // namespace upcast::truth
