// Properties of functions at the ends of their domains, in the extended reals, and with a NaN
// operand.
#include "cases/notation.h"
#include "impl/ops/number_cast.h"
#include "oracle/judge.h"
#include "oracle/ulp.h"
#include "properties/laws.h"
#include "properties/omissions.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kHalfPi = 1.5707963267948966;

/// A call at an end of its function's domain, and its value there. That is the function's own value
/// if it is defined, else its limit from within the domain. The sign of a zero does not count.
struct End {
  std::string_view line;  // the call in float32; it is asked in every floating dtype of the op
  double value;
  // "entry: " and the id of the known difference, if LibTorch gives NaN for this call; else "".
  std::string_view known{};
};

// Sources: C23, F.10, for the elementary functions. For the others it is the limit of the
// definition, which DLMF 5.4, 7.2, 9.7, 10.7, 10.17 and 10.30 state.
constexpr End kEnds[] = {
    {"exp(float32[1]{-inf})", 0},
    {"exp(float32[1]{inf})", kInf},
    {"exp2(float32[1]{-inf})", 0},
    {"exp2(float32[1]{inf})", kInf},
    {"expm1(float32[1]{-inf})", -1},
    {"expm1(float32[1]{inf})", kInf},
    {"log(float32[1]{0})", -kInf},
    {"log(float32[1]{1})", 0},
    {"log(float32[1]{inf})", kInf},
    {"log2(float32[1]{0})", -kInf},
    {"log2(float32[1]{inf})", kInf},
    {"log10(float32[1]{0})", -kInf},
    {"log10(float32[1]{inf})", kInf},
    {"log1p(float32[1]{-1})", -kInf},
    {"log1p(float32[1]{inf})", kInf},
    {"sqrt(float32[1]{inf})", kInf},
    {"rsqrt(float32[1]{0})", kInf},
    {"rsqrt(float32[1]{inf})", 0},
    {"reciprocal(float32[1]{0})", kInf},
    {"reciprocal(float32[1]{-0})", -kInf},
    {"reciprocal(float32[1]{-inf})", 0},
    {"square(float32[1]{-inf})", kInf},
    {"asin(float32[1]{-1})", -kHalfPi},
    {"asin(float32[1]{1})", kHalfPi},
    {"acos(float32[1]{-1})", 2 * kHalfPi},
    {"acos(float32[1]{1})", 0},
    {"atan(float32[1]{-inf})", -kHalfPi},
    {"atan(float32[1]{inf})", kHalfPi},
    {"sinh(float32[1]{-inf})", -kInf},
    {"cosh(float32[1]{-inf})", kInf},
    {"tanh(float32[1]{-inf})", -1},
    {"tanh(float32[1]{inf})", 1},
    {"asinh(float32[1]{-inf})", -kInf},
    {"acosh(float32[1]{1})", 0},
    {"acosh(float32[1]{inf})", kInf},
    {"atanh(float32[1]{-1})", -kInf},
    {"atanh(float32[1]{1})", kInf},
    {"erf(float32[1]{-inf})", -1},
    {"erf(float32[1]{inf})", 1},
    {"erfc(float32[1]{-inf})", 2},
    {"erfc(float32[1]{inf})", 0},
    {"erfinv(float32[1]{-1})", -kInf},
    {"erfinv(float32[1]{1})", kInf},
    {"special_erfcx(float32[1]{-inf})", kInf},
    {"special_erfcx(float32[1]{inf})", 0},
    {"special_ndtr(float32[1]{-inf})", 0},
    {"special_ndtr(float32[1]{inf})", 1},
    {"special_ndtri(float32[1]{0})", -kInf},
    {"special_ndtri(float32[1]{1})", kInf},
    {"special_log_ndtr(float32[1]{-inf})", -kInf},
    {"special_log_ndtr(float32[1]{inf})", 0},
    {"special_entr(float32[1]{0})", 0},
    {"special_entr(float32[1]{inf})", -kInf},
    {"lgamma(float32[1]{0})", kInf},
    {"lgamma(float32[1]{inf})", kInf},
    {"digamma(float32[1]{0})", -kInf},
    {"digamma(float32[1]{inf})", kInf},
    {"i0(float32[1]{-inf})", kInf, "entry: bessel-i-of-infinity"},
    {"i0(float32[1]{inf})", kInf, "entry: bessel-i-of-infinity"},
    {"special_i0e(float32[1]{inf})", 0},
    {"special_i1(float32[1]{-inf})", -kInf, "entry: bessel-i-of-infinity"},
    {"special_i1(float32[1]{inf})", kInf, "entry: bessel-i-of-infinity"},
    {"special_i1e(float32[1]{-inf})", 0},
    {"special_modified_bessel_i0(float32[1]{inf})", kInf, "entry: bessel-i-of-infinity"},
    {"special_modified_bessel_i1(float32[1]{inf})", kInf, "entry: bessel-i-of-infinity"},
    {"special_modified_bessel_k0(float32[1]{0})", kInf},
    {"special_modified_bessel_k0(float32[1]{inf})", 0},
    {"special_modified_bessel_k1(float32[1]{0})", kInf},
    {"special_modified_bessel_k1(float32[1]{inf})", 0},
    {"special_scaled_modified_bessel_k0(float32[1]{inf})", 0},
    {"special_scaled_modified_bessel_k1(float32[1]{inf})", 0},
    {"special_bessel_j0(float32[1]{inf})", 0, "entry: bessel-denominators-lack-their-leading-one"},
    {"special_bessel_j1(float32[1]{inf})", 0, "entry: bessel-denominators-lack-their-leading-one"},
    {"special_bessel_y0(float32[1]{0})", -kInf},
    {"special_bessel_y0(float32[1]{inf})", 0, "entry: bessel-denominators-lack-their-leading-one"},
    {"special_bessel_y1(float32[1]{0})", -kInf},
    {"special_bessel_y1(float32[1]{inf})", 0, "entry: bessel-denominators-lack-their-leading-one"},
    {"special_spherical_bessel_j0(float32[1]{inf})", 0},
    {"sinc(float32[1]{inf})", 0},
    {"special_airy_ai(float32[1]{-inf})", 0, "entry: airy-denominators-lack-their-leading-one"},
    {"special_airy_ai(float32[1]{inf})", 0, "entry: airy-denominators-lack-their-leading-one"},
    {"sigmoid(float32[1]{-inf})", 0},
    {"sigmoid(float32[1]{inf})", 1},
    {"log_sigmoid(float32[1]{-inf})", -kInf},
    {"log_sigmoid(float32[1]{inf})", 0},
    {"logit(float32[1]{0})", -kInf},
    {"logit(float32[1]{1})", kInf},
    {"softplus(float32[1]{-inf})", 0},
    {"softplus(float32[1]{inf})", kInf},
    {"elu(float32[1]{-inf})", -1},
    {"celu(float32[1]{-inf})", -1},
    {"selu(float32[1]{-inf})", -1.7580993408473766},
    {"silu(float32[1]{-inf})", 0, "entry: activation-formula"},
    {"silu(float32[1]{inf})", kInf},
    {"gelu(float32[1]{-inf})", 0, "entry: activation-formula"},
    {"gelu(float32[1]{-inf}, approximate=\"tanh\")", 0, "entry: activation-formula"},
    {"gelu(float32[1]{inf})", kInf},
    {"mish(float32[1]{-inf})", 0, "entry: activation-formula"},
    {"mish(float32[1]{inf})", kInf},
    {"hardswish(float32[1]{-inf})", 0, "entry: activation-formula"},
    {"hardswish(float32[1]{inf})", kInf},
    {"hardsigmoid(float32[1]{-inf})", 0},
    {"hardsigmoid(float32[1]{inf})", 1},
    {"relu6(float32[1]{inf})", 6},
    {"polygamma(1, float32[1]{inf})", 0},
    {"polygamma(1, float32[1]{0})", kInf},
    {"igamma(float32[1]{2}, float32[1]{0})", 0},
    {"igamma(float32[1]{2}, float32[1]{inf})", 1},
    {"igammac(float32[1]{2}, float32[1]{0})", 1},
    {"igammac(float32[1]{2}, float32[1]{inf})", 0},
    {"special_zeta(float32[1]{1}, float32[1]{2})", kInf},
    {"special_zeta(float32[1]{2}, float32[1]{inf})", 0, "entry: zeta-of-infinity"},
    {"xlogy.Tensor(float32[1]{0}, float32[1]{0})", 0},
    {"special_xlog1py(float32[1]{0}, float32[1]{-1})", 0},
    {"logaddexp(float32[1]{-inf}, float32[1]{-inf})", -kInf},
    {"logaddexp(float32[1]{-inf}, float32[1]{1})", 1},
    {"logaddexp(float32[1]{inf}, float32[1]{inf})", kInf},
    {"logaddexp2(float32[1]{-inf}, float32[1]{-inf})", -kInf},
    {"logaddexp2(float32[1]{inf}, float32[1]{inf})", kInf},
    {"hypot(float32[1]{-inf}, float32[1]{nan})", kInf},
    {"atan2(float32[1]{inf}, float32[1]{inf})", kHalfPi / 2},
    {"atan2(float32[1]{1}, float32[1]{-inf})", 2 * kHalfPi},
    {"pow.Tensor_Tensor(float32[1]{2}, float32[1]{-inf})", 0},
    {"pow.Tensor_Tensor(float32[1]{0}, float32[1]{-1})", kInf},
    {"pow.Tensor_Tensor(float32[1]{-1}, float32[1]{inf})", 1},
    {"pow.Tensor_Tensor(float32[1]{inf}, float32[1]{0})", 1},
};

/// The call with its operands in another dtype.
Case in_dtype(Case c, DType dtype) {
  for (Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor) continue;
    const double value = Elements(operand).re(0);
    operand.dtype = dtype;
    operand = filled(operand, value);
  }
  return c;
}

struct ParsedEnd {
  const End* end;
  Case c;
};
const std::vector<ParsedEnd>& ends() {
  static const std::vector<ParsedEnd> parsed = [] {
    std::vector<ParsedEnd> all;
    for (const End& end : kEnds) all.push_back({&end, parse_case(end.line)});
    return all;
  }();
  return parsed;
}

DType dtype_of(const Case& c) {
  for (const Operand& operand : c.arguments)
    if (operand.tag == Tag::kTensor) return operand.dtype;
  return DType::kUndefined;
}

/// The row of kEnds that the case comes from; null if there is none.
const End* end_of(const Case& c) {
  const DType dtype = dtype_of(c);
  if (!kFloats.contains(dtype)) return nullptr;
  for (const ParsedEnd& each : ends())
    if (each.c.op == c.op && in_dtype(each.c, dtype) == c) return each.end;
  return nullptr;
}

Case draw_end(Draw& draw) {
  const Case& c = draw.from(ends()).c;
  return in_dtype(c, draw.from(c.op->spec->dtypes & kFloats));
}
bool keeps_end(const Case& c) { return end_of(c) != nullptr; }
const Generator kEndCalls{
    "calls at the ends of domains", &draw_end, &keeps_end, {{"dtype", 4, 10}, {"op", 60, 0.3}}};

bool differs_in_libtorch(const Case& c) {
  const End* const end = end_of(c);
  return end != nullptr && !end->known.empty();
}

std::vector<Exclusion> other_ends() {
  std::vector<Exclusion> exclusions{
      {.system = kEverySystem,
       .reason = "sinc(inf) is the quotient of the invalid sin(inf) and inf; NumPy's is NaN too",
       .counterexample = "sinc(float32[1]{inf})",
       .ops = {"sinc"},
       .grounds = "witness: PyTorch's documentation of special.sinc, sin(pi x) / (pi x), whose "
                  "sin(inf) is invalid (IEEE 754-2019, 9.2); NumPy and JAX"}};
  for (const ParsedEnd& each : ends())
    if (!each.end->known.empty())
      exclusions.push_back({.system = "libtorch:cpu",
                            .reason = "NaN at this end",
                            .counterexample = each.end->line,
                            .ops = {each.c.op->spec->name},
                            .matches = &differs_in_libtorch,
                            .grounds = each.end->known});
  return exclusions;
}

Finding check_end(const System& system, const Case& c) {
  const End* const end = end_of(c);
  const Answer answer = system.answer(c);
  if (end == nullptr || !answered(answer)) return Finding::kVacuous;
  const double found = Elements(answer).re(0);
  const bool infinite = std::isinf(end->value);
  const double allowed = infinite
                             ? 0
                             : (bound_of(c.callable(), answer.dtype, system) + kCorrectRounding) *
                                   ulp_of(answer.dtype, std::abs(end->value));
  const bool right = infinite ? found == end->value : std::abs(found - end->value) <= allowed;
  if (!right)
    RC_FAIL("at the end it is " + to_text(answer) + ", not " + std::to_string(end->value));
  return Finding::kHolds;
}

// NaN.

/// The callables whose result can be NaN.
const std::vector<std::string_view>& floating_callables() {
  static const std::vector<std::string_view> found = [] {
    std::vector<std::string_view> all;
    for (const std::string_view callable : elementwise_callables()) {
      const FoundOp each = find_callable(callable);
      if (!is_left_out(of_floating_results(), *each.op, each.overload, each.form))
        all.push_back(callable);
    }
    return all;
  }();
  return found;
}

/// Draws a case with a NaN in one or more of the floating operands.
Case draw_with_nan(Draw& draw) {
  const std::string_view callable = draw.from(floating_callables());
  const DTypeSet own = find_callable(callable).op->spec->dtypes & kFloats;
  Case c = draw_call(draw, callable, {.dtypes = own.empty() ? kFloats : own});
  std::vector<Operand*> floating;
  for (Operand& operand : c.arguments)
    if (operand.tag == Tag::kTensor && kFloats.contains(operand.dtype))
      floating.push_back(&operand);
  const auto spared =
      // Number of the operand that gets no NaN, if there is one.
      static_cast<std::size_t>(draw.between(0, 3));
  for (std::size_t left = floating.size(); left > 0; --left) {
    Operand& operand = *floating[left - 1];
    if (floating.size() > 1 && left - 1 == spared) continue;
    const std::vector<std::byte> nan =
        filled(operand, std::numeric_limits<double>::quiet_NaN()).values;
    std::copy_n(nan.begin(), itemsize(operand.dtype), operand.values.begin());
  }
  return c;
}
const Generator kNaNCalls{"any calls with a NaN",
                          &draw_with_nan,
                          nullptr,
                          {{"dtype", 4, 5}, {"op", 150, 0.1}},
                          of_floating_results()};

Finding check_nan(const System& system, const Case& c) {
  const Answer result = system.answer(c);
  if (!answered(result) || !kFloats.contains(result.dtype)) return Finding::kVacuous;
  Finding finding = Finding::kVacuous;
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor || !kFloats.contains(operand.dtype)) continue;
    const Elements x(operand), y(result);
    for (std::size_t i = 0; i < std::min(x.count(), y.count()); ++i) {
      if (!x.is_nan(i)) continue;
      if (!y.is_nan(i)) RC_FAIL("with a NaN it is " + to_text(result));
      finding = Finding::kHolds;
    }
  }
  return finding;
}

bool holds_nan(const Case& c, std::string_view parameter) {
  const int at = c.schema().find(parameter);
  if (at < 0) return false;
  const Operand& operand = c.arguments[static_cast<std::size_t>(at)];
  if (operand.tag != Tag::kTensor || !kFloats.contains(operand.dtype)) return false;
  const Elements elements(operand);
  for (std::size_t i = 0; i < elements.count(); ++i)
    if (elements.is_nan(i)) return true;
  return false;
}
bool has_nan_degree(const Case& c) { return holds_nan(c, "n"); }
bool has_no_nan_degree(const Case& c) { return !has_nan_degree(c); }

const OpSet& polynomials() {
  static const OpSet ops{
      "special_chebyshev_polynomial_t",         "special_chebyshev_polynomial_u",
      "special_chebyshev_polynomial_v",         "special_chebyshev_polynomial_w",
      "special_shifted_chebyshev_polynomial_t", "special_shifted_chebyshev_polynomial_u",
      "special_shifted_chebyshev_polynomial_v", "special_shifted_chebyshev_polynomial_w",
      "special_hermite_polynomial_h",           "special_hermite_polynomial_he",
      "special_laguerre_polynomial_l",          "special_legendre_polynomial_p"};
  return ops;
}

/// Exclusions of ops that may give a number although an operand is NaN.
std::vector<Exclusion> nan_takers() {
  return {
      {.system = kEverySystem,
       .reason = "fmax and fmin take the other operand",
       .counterexample = "fmax(float32[1]{nan}, float32[1]{1})",
       .ops = {"fmax", "fmin"},
       .grounds = "witness: IEEE 754-2019, 9.6, maximumNumber and minimumNumber; C23, F.10.9"},
      {.system = kEverySystem,
       .reason = "a power of 1, and a zeroth power, is 1",
       .counterexample = "pow.Scalar(1, float64[1]{nan})",
       .ops = {"pow", "float_power"},
       .grounds = "witness: C23, F.10.4.5"},
      {.system = kEverySystem,
       .reason = "with an infinite side the hypotenuse is infinite",
       .counterexample = "hypot(float16[1]{nan}, float16[1]{-inf})",
       .ops = {"hypot"},
       .grounds = "witness: C23, F.10.4.4"},
      {.system = kEverySystem,
       .reason = "a NaN has a sign too",
       .counterexample = "copysign.Tensor(float16[1]{-2}, float16[1]{nan})",
       .ops = {"copysign"},
       .grounds = "witness: IEEE 754-2019, 5.5.1"},
      {.system = kEverySystem,
       .reason = "it replaces NaN",
       .counterexample = "nan_to_num(float16[1]{nan})",
       .ops = {"nan_to_num"},
       .grounds = "witness: PyTorch's documentation of nan_to_num"},
      {.system = kEverySystem,
       .reason = "an element that is not chosen, or is overwritten, does not matter",
       .counterexample = "where.ScalarSelf(bool[1]{True}, 2, float16[1]{nan})",
       .ops = {"where", "masked_fill", "copy"},
       .grounds = "witness: PyTorch's documentation of where, masked_fill_ and copy_"},
      {.system = kEverySystem,
       .reason = "comparisons, which are False for NaN, choose the gradient or the factor",
       .counterexample = "hardtanh_backward(float16[1]{nan}, float16[1]{-1}, 2, 6)",
       .ops = {"hardsigmoid_backward", "hardtanh_backward", "softshrink_backward",
               "hardshrink_backward", "threshold_backward", "leaky_relu_backward",
               "hardswish_backward", "_prelu_kernel", "prelu"},
       .grounds = "witness: torch/_decomp/decompositions.py of PyTorch 2.15.0"},
      {.system = kEverySystem,
       .reason = "a polynomial of degree 0 is 1, and at its ends it is looked up",
       .counterexample = "special_chebyshev_polynomial_t.n_scalar(float32[1]{nan}, 0)",
       .ops = polynomials(),
       .matches = &has_no_nan_degree,
       .grounds = "witness: DLMF 18.5, the explicit polynomials of degree 0"},
      {.system = kEverySystem,
       .reason = "a degree that is NaN is converted to a negative integer, and the polynomial is 0",
       .counterexample = "special_legendre_polynomial_p.x_scalar(1, float64[1]{nan})",
       .ops = polynomials(),
       .matches = &has_nan_degree,
       .grounds = "ambiguous: NaN is not a degree, and C++ leaves its conversion to an integer "
                  "undefined; SciPy's eval_chebyt gives NaN, its eval_legendre 1 at 1"},
      {.system = "libtorch:cpu",
       .reason = "sign and sgn of NaN are 0",
       .counterexample = "sign(float16[1]{nan})",
       .ops = {"sign", "sgn"},
       .grounds = "entry: sign-of-nan-is-0"},
      {.system = kEverySystem,
       .reason = "heaviside of NaN is 0",
       .counterexample = "heaviside(float32[1]{nan}, float32[1]{2})",
       .ops = {"heaviside"},
       .grounds =
           "witness: torch/_refs/__init__.py of PyTorch 2.15.0, where NaN counts as below 0, "
           "and Paddle; NumPy and JAX give NaN"},
      {.system = "libtorch:cpu",
       .reason = "a NaN is ignored where the other operand is a zero or an infinity",
       .counterexample = "special_gammainc(float64[1]{nan}, float64[1]{0})",
       .ops = {"igamma", "igammac"},
       .grounds = "entry: igamma-after-cephes"},
      {.system = "libtorch:cpu",
       .reason = "where self is NaN the gradient passes",
       .counterexample = "elu_backward(float16[1]{240}, 1, 1, 1, is_result=False, "
                         "self_or_result=float16[1]{nan})",
       .ops = {"elu_backward"},
       .grounds = "entry: activation-backward-formula"}};
}

void finite_ends(const Case&, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && kFloats.contains(answer.dtype) &&
      std::isinf(Elements(answer).re(0)))
    answer.bytes = filled({.tag = Tag::kTensor, .dtype = answer.dtype, .sizes = answer.sizes},
                          largest_finite(answer.dtype))
                       .values;
}

}  // namespace

std::span<const Property> end_properties() {
  static const std::vector<Property> properties{
      law("FunctionsAreTheirLimitsAtTheEnds",
          "At the ends of its domain a function has its value or its limit there, infinities "
          "included.",
          kEndCalls, &check_end,
          {.what = "infinite results are the largest finite numbers", .spoil = &finite_ends},
          other_ends()),
      law("NaNPropagates",
          "An op with a NaN operand gives NaN, unless its definition says otherwise.", kNaNCalls,
          &check_nan, {.what = "NaN becomes 0", .spoil = &nan_is_zero}, nan_takers()),
  };
  return properties;
}

}  // namespace upcast::properties
