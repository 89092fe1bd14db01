// The truth of complex arithmetic: parts, comparisons, and formulas of additions, multiplications
// and divisions.
#include <algorithm>
#include <cmath>

#include "impl/ops/number_cast.h"
#include "oracle/truth/complex_definition.h"

namespace upcast::truth {
namespace {

using Doubles = std::span<const ComplexDouble>;
using Balls = std::span<const ComplexBall>;
using Special = std::optional<ComplexKnown>;

constexpr std::string_view kTextbook =
    "its formula over finite numbers; PyTorch's documentation does not define infinities";
constexpr std::string_view kSum =
    "part by part, as C23, G.5.2; infinities are not defined if alpha is not 1 or -1";
constexpr std::string_view kEqual = "IEEE 754-2019, 5.11, both parts";
constexpr std::string_view kTruthValue = "torch.logical_and: zeros are False, all others True";

ComplexDouble convert_number(const Number& number, DType common) {
  const auto exact = number_to<ComplexDouble>(number);
  const DType part = to_real(compute_dtype(common));
  return {in_compute_dtype(exact.re, part), in_compute_dtype(exact.im, part)};
}
template <const char* const& Name>
std::vector<ComplexDouble> parameter(const Call& call, DType common) {
  return {convert_number(call.number(Name, 1), common)};
}
/// The number alpha, and then a flag: 1 if alpha is a real number, else 0.
std::vector<ComplexDouble> alpha(const Call& call, DType common) {
  const Number alpha = call.number("alpha", 1);
  return {convert_number(alpha, common), {is_complex(alpha.dtype()) ? 0.0 : 1.0, 0}};
}
constexpr const char* kValue = "value";

ComplexKnown known(ComplexDouble z) { return {z.re, z.im}; }
ComplexKnown known(bool value) { return {value ? 1.0 : 0.0, 0.0}; }

template <auto F>
constexpr ComplexDefinition exact_row(std::string_view op, std::string_view source,
                                      ComplexAttributes attributes = nullptr) {
  return {.op = op,
          .source = source,
          .special = [](Doubles x) -> Special { return known(F(x)); },
          .attributes = attributes};
}

bool is_finite(ComplexDouble z) { return std::isfinite(z.re) && std::isfinite(z.im); }
bool are_finite(Doubles x) { return std::all_of(x.begin(), x.end(), is_finite); }

template <auto F>
Pair<double> lost_by(Doubles x, DType compute) {
  if (!are_finite(x)) return {0, 0};
  // An implementation may add the terms in another order. The loss of our order is doubled to cover
  // that.
  constexpr double kOtherOrders = 2;
  std::vector<Pair<Steps>> exact;
  for (const ComplexDouble z : x) exact.push_back({Steps(z.re, compute), Steps(z.im, compute)});
  const Pair<Steps> result = F(std::span<const Pair<Steps>>(exact));
  return {kOtherOrders * result.re.inherited(), kOtherOrders * result.im.inherited()};
}

/// Makes an op's row from one formula, which is evaluated with balls for the truth, and with
/// rounding steps for the leeway.
template <auto F>
constexpr ComplexDefinition formula_row(std::string_view op, ComplexAttributes attributes = nullptr,
                                        ComplexSpecial special = nullptr) {
  return {.op = op,
          .source = kTextbook,
          .special = special,
          .ball = [](Balls x) -> ComplexBall { return F(x); },
          .zeros = Zeros::kAny,
          .steps = lost_by<F>,
          .attributes = attributes};
}

bool not_0(ComplexDouble z) { return z.re != 0 || z.im != 0; }
bool same(ComplexDouble a, ComplexDouble b) { return a.re == b.re && a.im == b.im; }

std::vector<ComplexDouble> replacements(const Call& call, DType common) {
  const DType part = to_real(common);
  const double limit = largest_finite(part);
  return {{in_common_dtype(call.number("nan", 0.0), part), 0},
          {in_common_dtype(call.number("posinf", limit), part),
           in_common_dtype(call.number("neginf", -limit), part)}};
}
double replaced(double part, Doubles attributes) {
  if (std::isnan(part)) return attributes[0].re;
  if (std::isinf(part)) return part > 0 ? attributes[1].re : attributes[1].im;
  return part;
}
ComplexDouble nan_to_num(Doubles x) {
  return {replaced(x[0].re, x.last(2)), replaced(x[0].im, x.last(2))};
}

/// The weight of lerp if it is a number, which stays in the compute dtype. A weight that is a
/// tensor is the third operand.
std::vector<ComplexDouble> weight(const Call& call, DType common) {
  const Argument& argument = call.argument("weight");
  if (argument.tag != Argument::Tag::kNumber) return {};
  return {convert_number(argument.number, common)};
}

constexpr auto kLerp = [](auto x) { return x[0] + x[2] * (x[1] - x[0]); };
/// lerp computed from its end, as implementations do for large weights.
constexpr auto kLerpFromEnd = [](auto x) { return x[1] - (x[1] - x[0]) * (1.0 - x[2]); };
Pair<double> lerp_steps(Doubles x, DType compute) {
  const Pair<double> start = lost_by<kLerp>(x, compute);
  const Pair<double> end = lost_by<kLerpFromEnd>(x, compute);
  return {std::max(start.re, end.re), std::max(start.im, end.im)};
}

ComplexKnown open() { return {undocumented(), undocumented()}; }

/// Whether a part is 0, not finite, or so moderate that products and quotients of such parts stay
/// in float32's range.
bool is_moderate(double part) {
  return part == 0 || !std::isfinite(part) || (std::abs(part) < 1e9 && std::abs(part) > 1e-9);
}

/// The value of a product or quotient that has a part which is not finite; nothing if no document
/// defines it. A NaN without an infinity makes both parts NaN. For an infinity, Annex G.5.1 only
/// says that the product is "an infinity". The textbook's steps, which all libraries follow, may
/// give NaN instead. So the value is known only if these steps give no NaN.
template <auto F>
Special by_textbook(Doubles x) {
  if (are_finite(x)) return std::nullopt;
  const auto any_part = [&](auto is) {
    return std::any_of(x.begin(), x.end(), [&](ComplexDouble z) { return is(z.re) || is(z.im); });
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (!any_part([](double part) { return std::isinf(part); })) return ComplexKnown{kNaN, kNaN};
  if (any_part([](double part) { return !is_moderate(part); })) return open();
  std::vector<Pair<double>> parts;
  for (const ComplexDouble z : x) parts.push_back({z.re, z.im});
  const Pair<double> result = F(std::span<const Pair<double>>(parts));
  return std::isinf(result.re) && std::isinf(result.im) ? ComplexKnown{result.re, result.im}
                                                        : open();
}

/// The value of a sum with infinities or NaN. If alpha is 1 or -1, nothing is multiplied, and every
/// part is known.
template <int Sign>
Special sum_of_parts(Doubles x) {
  const double alpha = Sign * x[2].re;
  if (are_finite(x) || x[3].re == 0 || std::abs(alpha) != 1) return std::nullopt;
  return ComplexKnown{x[0].re + alpha * x[1].re, x[0].im + alpha * x[1].im};
}

template <int Sign>
constexpr ComplexDefinition sum_row(std::string_view op) {
  constexpr auto kFormula = [](auto x) {
    return Sign > 0 ? x[0] + x[2] * x[1] : x[0] - x[2] * x[1];
  };
  ComplexDefinition row = formula_row<kFormula>(op, alpha, sum_of_parts<Sign>);
  row.source = kSum;
  return row;
}

/// The value of a quotient by 0: it is not known, except that it is no finite number.
template <int Divisor>
Special open_by_0(Doubles x) {
  return not_0(x[Divisor]) ? std::nullopt : Special(open());
}
template <auto F, int Divisor>
Special quotient(Doubles x) {
  return not_0(x[Divisor]) ? by_textbook<F>(x) : Special(open());
}

constexpr auto kProduct = [](auto x) { return x[0] * x[1]; };
constexpr auto kSquare = [](auto x) { return x[0] * x[0]; };
constexpr auto kQuotient = [](auto x) { return x[0] / x[1]; };
constexpr auto kReciprocal = [](auto x) { return x[1] / x[0]; };

constexpr ComplexDefinition kRows[] = {
    exact_row<[](Doubles x) { return -x[0]; }>("neg", "IEEE 754-2019, 5.5.1, both parts"),
    exact_row<[](Doubles x) { return conj(x[0]); }>("conj_physical", "torch.conj_physical"),
    exact_row<[](Doubles x) { return conj(x[0]); }>("_conj_physical", "torch.conj_physical"),
    exact_row<[](Doubles x) { return x[0]; }>("clone", "the element itself"),
    exact_row<[](Doubles x) { return x[0]; }>(
        "copy", "the element, converted once: docs/numerics.md, Conversions"),
    exact_row<[](Doubles x) {
      return ComplexDouble{x[0].re, x[1].re};
    }>("complex", "torch.complex"),
    exact_row<[](Doubles x) { return not_0(x[0]) ? x[1] : x[2]; }>("where", "torch.where"),
    exact_row<[](Doubles x) { return not_0(x[1]) ? x[2] : x[0]; }>("masked_fill",
                                                                   "torch.Tensor.masked_fill"),
    exact_row<nan_to_num>("nan_to_num", "torch.nan_to_num, part by part", replacements),
    exact_row<[](Doubles x) { return same(x[0], x[1]); }>("eq", kEqual),
    exact_row<[](Doubles x) { return !same(x[0], x[1]); }>("ne", kEqual),
    exact_row<[](Doubles x) { return std::isnan(x[0].re) || std::isnan(x[0].im); }>(
        "isnan", "torch.isnan: either part"),
    exact_row<[](Doubles x) { return std::isinf(x[0].re) || std::isinf(x[0].im); }>(
        "isinf", "torch.isinf: either part"),
    exact_row<[](Doubles x) { return std::isfinite(x[0].re) && std::isfinite(x[0].im); }>(
        "isfinite", "torch.isfinite: both parts"),
    exact_row<[](Doubles x) { return x[0].im == 0; }>("isreal", "torch.isreal"),
    exact_row<[](Doubles x) { return not_0(x[0]) && not_0(x[1]); }>("logical_and", kTruthValue),
    exact_row<[](Doubles x) { return not_0(x[0]) || not_0(x[1]); }>("logical_or", kTruthValue),
    exact_row<[](Doubles x) { return not_0(x[0]) != not_0(x[1]); }>("logical_xor", kTruthValue),
    exact_row<[](Doubles x) { return !not_0(x[0]); }>("logical_not", kTruthValue),
    {.op = "abs", .source = "C Annex G, cabs: hypot of the parts", .real_function = "hypot"},
    {.op = "angle", .source = "C Annex G, carg: atan2 of the parts", .real_function = "atan2"},
    sum_row<1>("add"),
    sum_row<-1>("sub"),
    sum_row<-1>("rsub"),
    formula_row<kProduct>("mul", nullptr, by_textbook<kProduct>),
    formula_row<kSquare>("square", nullptr, by_textbook<kSquare>),
    formula_row<kQuotient>("div", nullptr, quotient<kQuotient, 1>),
    formula_row<kReciprocal>(
        "reciprocal",
        [](const Call&, DType) {
          return std::vector<ComplexDouble>{{1, 0}};
        },
        quotient<kReciprocal, 0>),
    formula_row<[](auto x) { return x[0] + (x[3] * x[1]) * x[2]; }>("addcmul", parameter<kValue>),
    formula_row<[](auto x) { return x[0] + (x[3] * x[1]) / x[2]; }>("addcdiv", parameter<kValue>,
                                                                    open_by_0<2>),
    {.op = "lerp",
     .source = kTextbook,
     .ball = [](Balls x) -> ComplexBall { return kLerp(x); },
     .zeros = Zeros::kAny,
     .steps = lerp_steps,
     .attributes = weight},
    formula_row<[](auto x) { return x[0] * conj((1.0 - x[1]) * x[1]); }>("sigmoid_backward"),
    formula_row<[](auto x) { return x[0] * conj(1.0 - x[1] * x[1]); }>("tanh_backward"),
};

}  // namespace

std::span<const ComplexDefinition> complex_arithmetic_definitions() { return kRows; }

}  // namespace upcast::truth
