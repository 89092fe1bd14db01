// Properties of functions with a formula: they are monotone, bounded, symmetric, or the inverse of
// another one.
#include <algorithm>
#include <bit>

#include "cases/element.h"
#include "impl/ops/number_cast.h"
#include "oracle/judge.h"
#include "oracle/same_value.h"
#include "oracle/ulp.h"
#include "properties/laws.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

constexpr Callables<12> kExactMonotone{"floor",       "ceil",    "round",   "trunc",
                                       "relu",        "relu6",   "sign",    "hardtanh",
                                       "hardsigmoid", "deg2rad", "rad2deg", "sqrt"};
constexpr Callables<13> kSmoothMonotone{"exp",  "exp2", "expm1", "log",   "log1p", "log2", "log10",
                                        "atan", "asin", "tanh",  "asinh", "sinh",  "erf"};
constexpr Callables<10> kBounded{"sin",  "cos",        "tanh", "erf",  "sigmoid",
                                 "atan", "softshrink", "exp",  "erfc", "hardsigmoid"};
constexpr Callables<10> kConjugating{"exp",  "sin",    "cos",        "sinh", "cosh",
                                     "tanh", "square", "reciprocal", "sqrt", "neg"};
constexpr Callables<> kSin{"sin"}, kNeg{"neg"}, kHypot{"hypot"}, kPow{"pow.Tensor_Tensor"},
    kLdexp{"ldexp.Tensor"}, kAbs{"abs"};

/// Two functions that are inverse to each other. `first` and then `second` must give the operand
/// back. `condition(x)` is the factor by which the error of `first` grows.
struct InversePair {
  std::string_view first, second;
  double lowest, highest;  // the smallest and the largest magnitude of operands
  bool negative;           // whether operands below 0 are in the domain
  double (*condition)(double x);
};
constexpr std::array<InversePair, 12> kInverses{{
    {"log", "exp", 1e-4, 1e4, false, [](double x) { return std::abs(std::log(x)); }},
    {"log2", "exp2", 1e-4, 1e4, false, [](double x) { return std::abs(std::log(x)); }},
    {"log1p", "expm1", 1e-3, 1e3, false, [](double x) { return std::log1p(x) * (1 + x) / x; }},
    {"expm1", "log1p", 1e-2, 5, false, [](double x) { return std::expm1(x) / std::exp(x) / x; }},
    {"exp", "log", 0.5, 5, true, [](double x) { return 1 / std::abs(x); }},
    {"exp2", "log2", 0.5, 5, true, [](double x) { return 2 / std::abs(x); }},
    {"asinh", "sinh", 1e-2, 1e3, true,
     [](double x) { return std::abs(std::asinh(x) * std::sqrt(1 + x * x) / x); }},
    {"sinh", "asinh", 1e-2, 5, true, [](double x) { return std::abs(std::tanh(x) / x); }},
    {"atanh", "tanh", 1e-2, 0.9, true,
     [](double x) { return std::abs(std::atanh(x) * (1 - x * x) / x); }},
    {"atan", "tan", 1e-2, 10, true,
     [](double x) { return std::abs(std::atan(x) * (1 + x * x) / x); }},
    {"sqrt", "square", 1e-2, 1e2, false, [](double) { return 2.0; }},
    {"reciprocal", "reciprocal", 1e-2, 1e2, true, [](double) { return 1.0; }},
}};

/// Draws operands within the domain of a pair of inverse functions.
Case draw_inverse(Draw& draw) {
  const InversePair& pair = draw.from(kInverses);
  Case c = case_of(pair.first);
  const DType dtype = draw.from(kFloats);
  const std::int64_t length = draw.between(1, 6);
  c.arguments[0] = tensor(dtype, {length});
  for (std::int64_t i = 0; i < length; ++i) {
    const double at = static_cast<double>(draw.bits() >> 11) * 0x1p-53;
    double value = pair.lowest * std::pow(pair.highest / pair.lowest, at);
    if (pair.negative && draw.chance(50)) value = -value;
    const std::vector<std::byte> element = element_of(dtype, value);
    c.arguments[0].values.insert(c.arguments[0].values.end(), element.begin(), element.end());
  }
  return c;
}

/// The pair of which the case's op is `first`, if all elements are within the domain; else null.
const InversePair* pair_of(const Case& c) {
  for (const InversePair& pair : kInverses) {
    if (pair.first != c.callable()) continue;
    const Elements x(x_of(c));
    bool inside = x_of(c).tag == Tag::kTensor && kFloats.contains(x_of(c).dtype);
    for (std::size_t i = 0; inside && i < x.count(); ++i) {
      const double magnitude = std::abs(x.re(i));
      inside = magnitude >= pair.lowest / 1.01 && magnitude <= pair.highest * 1.01 &&
               (pair.negative || x.re(i) > 0);
    }
    if (inside) return &pair;
  }
  return nullptr;
}
bool keeps_domain(const Case& c) { return pair_of(c) != nullptr; }

const Generator kExactMonotoneCalls =
    float_calls_of<kExactMonotone>("calls of monotone functions, exact", {{"op", 12, 3}});
const Generator kSmoothMonotoneCalls =
    float_calls_of<kSmoothMonotone>("calls of monotone functions", {{"op", 13, 3}});
const Generator kBoundedCalls =
    float_calls_of<kBounded>("calls of bounded functions", {{"op", 10, 5}});
const Generator kConjugatingCalls = calls_of<kConjugating, kFullComplex>(
    "calls of functions that commute with conj", &keeps_complex,
    {{"dtype", 2, 40}, {"op", 10, 5}, {"value", 8, 5}});
const Generator kHypotenuses = float_calls_of<kHypot>("hypotenuses");
const Generator kPowers =
    calls_of<kPow, kReals>("powers", &keeps_number, {{"dtype", 9, 5}, {"value", 8, 2}});
const Generator kScalings = float_calls_of<kLdexp>("scalings");
const Generator kModuli =
    calls_of<kAbs, kFullComplex>("moduli", &keeps_complex, {{"dtype", 2, 40}, {"value", 8, 5}});
const Generator kInverseCalls{
    "calls with an inverse", &draw_inverse, &keeps_domain, {{"dtype", 4, 15}, {"op", 11, 3}}};

void check_monotone(const System&, const Case& c, const Answer& result) {
  const Elements x(x_of(c)), y(result);
  for (std::size_t i = 0; i < x.count(); ++i)
    for (std::size_t j = 0; j < x.count(); ++j)
      if (!x.is_nan(i) && !x.is_nan(j) && !y.is_nan(i) && !y.is_nan(j) && x.re(i) < x.re(j) &&
          y.re(i) > y.re(j))
        RC_FAIL("a greater operand gives a lesser result: " + to_text(result));
}

Finding check_bounds(const System& system, const Case& c) {
  struct Bound {
    std::string_view op;
    double low, high;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // No bound is pi/2, because pi/2 rounded to a narrow dtype is larger than it.
  constexpr std::array<Bound, 9> kBounds{{{"sin", -1, 1},
                                          {"cos", -1, 1},
                                          {"tanh", -1, 1},
                                          {"erf", -1, 1},
                                          {"sigmoid", 0, 1},
                                          {"atan", -1.5786, 1.5786},
                                          {"exp", 0, kInfinity},
                                          {"erfc", 0, 2},
                                          {"hardsigmoid", 0, 1}}};
  const Answer result = system.answer(c);
  if (!answered(result)) return Finding::kVacuous;
  for (const Bound& bound : kBounds) {
    if (bound.op != c.callable()) continue;
    for (std::size_t i = 0; i < Elements(result).count(); ++i) {
      const double value = Elements(result).re(i);
      if (value < bound.low || value > bound.high) RC_FAIL("out of bounds: " + to_text(result));
    }
    return Finding::kHolds;
  }
  return Finding::kVacuous;
}

void check_conjugates(const System& system, const Case& c, const Answer& result) {
  const Answer conjugate = ask(system, "conj_physical", {x_of(c)}, c);
  const Answer of_conjugate = unary(system, c.callable(), conjugate, c);
  const Answer expected = unary(system, "conj_physical", result, c);
  const Elements x(x_of(c)), a(of_conjugate), b(expected);
  for (std::size_t i = 0; i < x.count(); ++i)
    // An element with a part that is NaN or infinite is left out, because C leaves the signs of
    // such parts open.
    if (x.is_finite(i) && a.is_finite(i) && b.is_finite(i) &&
        (a.re(i) != b.re(i) || a.im(i) != b.im(i)))
      RC_FAIL("f(conj z) is " + to_text(of_conjugate) + ", conj f(z) " + to_text(expected));
}

/// Whether a NaN is signaling. IEEE 754-2019, 9.2.1, lets hypot and pow give a number for some
/// operands although the other one is a quiet NaN. It does not say so for a signaling one.
bool is_signaling(double value) {
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
  return std::isnan(value) && (std::bit_cast<std::uint64_t>(value) & kQuiet) == 0;
}

void check_hypotenuse(const System&, const Case& c, const Answer& result) {
  const Elements x(x_of(c)), y(y_of(c)), side(result);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (is_signaling(x.re(i)) || is_signaling(y.re(i))) continue;
    const double longer = std::max(std::abs(x.re(i)), std::abs(y.re(i)));
    if (std::isinf(x.re(i)) || std::isinf(y.re(i))) {
      if (!std::isinf(side.re(i))) RC_FAIL("with an infinity it is " + to_text(result));
    } else if (!x.is_nan(i) && !y.is_nan(i) && longer < largest_finite(result.dtype) / 2 &&
               (side.re(i) < longer || side.re(i) > 1.42 * longer + ulp_of(result.dtype, longer))) {
      RC_FAIL("not between the longer side and sqrt(2) times it: " + to_text(result));
    }
  }
}

Finding check_powers(const System& system, const Case& c) {
  const auto power = [&](double exponent) {
    return ask(system, "pow.Tensor_Tensor", {x_of(c), filled(x_of(c), exponent)}, c);
  };
  const Answer first = power(1), zeroth = power(0);
  if (!answered(first) || !answered(zeroth)) return Finding::kVacuous;
  const Elements x(x_of(c)), ones(zeroth), same(first);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (!is_signaling(x.re(i)) && ones.re(i) != 1) RC_FAIL("x ** 0 is " + to_text(zeroth));
    if (!x.is_nan(i) && same.order(i) != x.order(i)) RC_FAIL("x ** 1 is " + to_text(first));
  }
  const Answer of_one = ask(system, "pow.Tensor_Tensor", {filled(x_of(c), 1), x_of(c)}, c);
  for (std::size_t i = 0; answered(of_one) && i < x.count(); ++i)
    if (!x.is_nan(i) && Elements(of_one).re(i) != 1) RC_FAIL("1 ** x is " + to_text(of_one));
  return Finding::kHolds;
}

/// Checks ldexp(x, k) for a whole k, which is exact until the result is subnormal.
Finding check_scaling(const System& system, const Case& c) {
  Finding finding = Finding::kVacuous;
  for (const std::int32_t k : {-3, 1, 5}) {
    const Operand shift =
        filled({.tag = Tag::kTensor, .dtype = DType::kInt32, .sizes = x_of(c).sizes}, k);
    const Answer scaled = ask(system, "ldexp.Tensor", {x_of(c), shift}, c);
    if (!answered(scaled)) continue;
    const Elements x(x_of(c)), result(scaled);
    for (std::size_t i = 0; i < x.count(); ++i) {
      const double exact = std::ldexp(x.re(i), k);
      const bool fits = std::abs(exact) >= 0x1p-10 && std::abs(exact) <= 0x1p+14;
      if (x.is_finite(i) && fits && result.re(i) != exact)
        RC_FAIL("x * 2^" + std::to_string(k) + " is " + to_text(scaled));
    }
    finding = Finding::kHolds;
  }
  return finding;
}

void check_modulus(const System& system, const Case& c, const Answer& modulus) {
  const Elements z(x_of(c)), result(modulus);
  for (std::size_t i = 0; i < z.count(); ++i) {
    const double longer = std::max(std::abs(z.re(i)), std::abs(z.im(i)));
    if (z.is_finite(i) && result.re(i) < longer) RC_FAIL("below a part: " + to_text(modulus));
    if (std::signbit(result.re(i)) && !result.is_nan(i)) RC_FAIL("negative: " + to_text(modulus));
  }
  const Answer conjugate = ask(system, "conj_physical", {x_of(c)}, c);
  require_same("|z|, and |conj z|", modulus, unary(system, "abs", conjugate, c));
}

Finding check_inverse(const System& system, const Case& c) {
  const InversePair* pair = pair_of(c);
  if (pair == nullptr) return Finding::kVacuous;
  const Answer there = system.answer(c);
  if (!answered(there)) return Finding::kVacuous;
  const Answer back = unary(system, pair->second, there, c);
  const DType dtype = back.dtype;
  const Elements x(x_of(c)), result(back);
  for (std::size_t i = 0; i < x.count(); ++i) {
    // One ulp is up to twice as large a part of one value as of another. Hence the factor 2.
    const double allowed = bound_of(pair->second, dtype, system) + 1 +
                           2 * bound_of(pair->first, dtype, system) * pair->condition(x.re(i));
    const double error = std::abs(result.re(i) - x.re(i)) / ulp_of(dtype, std::abs(x.re(i)));
    if (!(error <= allowed))
      RC_FAIL("back it is " + to_text(back) + ", off by " + std::to_string(error) +
              " ulp, allowed " + std::to_string(allowed));
  }
  return Finding::kHolds;
}

void shift_elements(const Case&, Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor || answer.bytes.size() < 2) return;
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  std::rotate(answer.bytes.begin(), answer.bytes.begin() + static_cast<std::ptrdiff_t>(size),
              answer.bytes.end());
}
void turn_sign(const Case&, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && !answer.bytes.empty() &&
      is_floating(to_real(answer.dtype)))
    answer.bytes[static_cast<std::size_t>(itemsize(answer.dtype)) - 1] ^= std::byte{0x80};
}
/// A control: a float32 becomes wrong by about one in a million.
void lose_digits(const Case& c, Answer& answer) {
  if (answer.dtype == DType::kFloat32 && answer.bytes.size() >= 4 && !is_call_of<kNeg>(c))
    answer.bytes[0] ^= std::byte{0xff};
}
void double_exponent(const Case& c, Answer& answer) {
  if (answer.dtype == DType::kFloat32 && is_call_of<kSin>(c)) answer.bytes[3] = std::byte{0x7e};
}

}  // namespace

std::span<const Property> function_properties() {
  static const std::vector<Property> properties{
      law("ExactMonotoneFunctionsAreMonotone",
          "A greater operand never gives a smaller result: roundings, relu, hardtanh, sign, sqrt.",
          kExactMonotoneCalls, of_answer(&check_monotone),
          {.what = "the elements are rotated by one", .spoil = &shift_elements}),
      law("SmoothMonotoneFunctionsAreMonotone",
          "A greater operand never gives a smaller result: exp, log, atan, tanh, erf and the like.",
          kSmoothMonotoneCalls, of_answer(&check_monotone),
          {.what = "the elements are rotated by one", .spoil = &shift_elements}),
      law("BoundedFunctionsStayInBounds",
          "sin, cos, tanh and erf are within 1, sigmoid in [0, 1], atan within pi/2, exp and erfc "
          "not negative.",
          kBoundedCalls, &check_bounds, {.what = "sin is huge", .spoil = &double_exponent}),
      law("FunctionsCommuteWithConjugation", "f(conj z) is conj f(z), where both are finite.",
          kConjugatingCalls, of_answer(&check_conjugates),
          {.what = "an imaginary part has the wrong sign", .spoil = &nudge_of_negative}),
      law("TheHypotenuseIsTheLongestSide",
          "hypot is at least the longer side, at most sqrt(2) times it, and infinite if either "
          "side is, even if the other one is a quiet NaN.",
          kHypotenuses, of_answer(&check_hypotenuse),
          {.what = "hypot is negative", .spoil = &turn_sign},
          {{.system = "libtorch:cpu",
            .reason = "the C library's hypot of an infinity and a signalling NaN is NaN",
            .counterexample = "hypot(bfloat16[1]{inf}, bfloat16[1]{bits:0xffad})",
            .matches = &holds_signalling_nan,
            .grounds = "entry: hypot-of-an-infinity-and-a-signalling-nan"}}),
      law("FirstAndZerothPowersAreExact",
          "x ** 1 is x, x ** 0 is 1 (also for a quiet NaN) and 1 ** x is 1.", kPowers,
          &check_powers, {.what = "pow is off by one ulp", .spoil = &nudge_op<kPow>},
          {{.system = "libtorch:cpu",
            .reason = "glibc's powf answers NaN for a signalling NaN, also to the power 0",
            .counterexample = "pow.Tensor_Tensor(bfloat16[1]{bits:0x7fb3}, bfloat16[1]{1})",
            .matches = &holds_signalling_nan,
            .grounds = "entry: pow-of-one-and-a-signaling-nan"}}),
      law("LdexpScalesExactly",
          "ldexp(x, k) is x * 2^k, without rounding unless it is out of range.", kScalings,
          &check_scaling, {.what = "ldexp is off by one ulp", .spoil = &nudge_op<kLdexp>}),
      law("TheModulusIsAtLeastEachPart",
          "abs of a complex number is not negative, not smaller than its parts, and equal to abs "
          "of its conjugate.",
          kModuli, of_answer(&check_modulus), {.what = "abs is negative", .spoil = &turn_sign}),
      law("InversesComeBack",
          "A function and its inverse (log and exp, asinh and sinh, atan and tan, sqrt and square "
          "and others) give the operand back, within their error bounds times the condition number "
          "of the second one.",
          kInverseCalls, &check_inverse,
          {.what = "float32 results are off by up to 255 ulp", .spoil = &lose_digits}),
  };
  return properties;
}

}  // namespace upcast::properties
