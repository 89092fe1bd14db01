// Properties of algebra that hold exactly, element by element.
#include <array>
#include <cmath>

#include "properties/laws.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

constexpr Callables<19> kCommutativeOps{"add.Tensor",
                                        "mul.Tensor",
                                        "eq.Tensor",
                                        "ne.Tensor",
                                        "logical_and",
                                        "logical_or",
                                        "logical_xor",
                                        "bitwise_and.Tensor",
                                        "bitwise_or.Tensor",
                                        "bitwise_xor.Tensor",
                                        "gcd",
                                        "lcm",
                                        "hypot",
                                        "logaddexp",
                                        "logaddexp2",
                                        "maximum",
                                        "minimum",
                                        "fmax",
                                        "fmin"};
constexpr Callables<4> kExtrema{"maximum", "minimum", "fmax", "fmin"};
constexpr Callables<3> kInvolutions{"neg", "bitwise_not", "conj_physical"};
constexpr Callables<9> kProjections{"abs",  "ceil", "floor", "round",     "trunc",
                                    "sign", "relu", "relu6", "nan_to_num"};
constexpr Callables<14> kOddOps{"sin",   "tan", "asin",   "atan",  "sinh",  "tanh",    "asinh",
                                "atanh", "erf", "erfinv", "trunc", "round", "rad2deg", "deg2rad"};
constexpr Callables<6> kEvenOps{"cos", "cosh", "abs", "square", "sinc", "special_bessel_j0"};
constexpr Callables<2> kSelfCancelling{"sub.Tensor", "bitwise_xor.Tensor"};

/// An op's identity element: as the second operand this number changes nothing.
struct Identity {
  std::string_view callable;
  DTypeSet dtypes;
  double element;
};
constexpr std::array<Identity, 14> kIdentities{{
    {"add.Tensor", kIntegers, 0},
    {"add.Tensor", kFloats, -0.0},
    {"sub.Tensor", kReals | kFullComplex, 0},
    {"mul.Tensor", kReals, 1},
    {"div.Tensor", kFloats, 1},
    {"pow.Tensor_Tensor", kReals, 1},
    {"bitwise_or.Tensor", kIntegers | kBools, 0},
    {"bitwise_xor.Tensor", kIntegers | kBools, 0},
    {"bitwise_left_shift.Tensor", kIntegers, 0},
    {"bitwise_right_shift.Tensor", kIntegers, 0},
    {"floor_divide", kIntegers, 1},
    {"maximum", kFloats, -std::numeric_limits<double>::infinity()},
    {"minimum", kFloats, std::numeric_limits<double>::infinity()},
    {"ldexp.Tensor", kFloats, 0},
}};

/// Two overloads that must answer alike: one that takes a number, and one with a tensor in the
/// number's place.
struct NumberOverload {
  std::string_view number, tensor;
};
constexpr std::array<NumberOverload, 12> kNumberOverloads{{
    {"add.Scalar", "add.Tensor"},
    {"sub.Scalar", "sub.Tensor"},
    {"mul.Scalar", "mul.Tensor"},
    {"div.Scalar", "div.Tensor"},
    {"fmod.Scalar", "fmod.Tensor"},
    {"remainder.Scalar", "remainder.Tensor"},
    {"eq.Scalar", "eq.Tensor"},
    {"lt.Scalar", "lt.Tensor"},
    {"ge.Scalar", "ge.Tensor"},
    {"bitwise_and.Scalar", "bitwise_and.Tensor"},
    {"bitwise_xor.Scalar", "bitwise_xor.Tensor"},
    {"copysign.Scalar", "copysign.Tensor"},
}};

Case draw_identity(Draw& draw) {
  const Identity& identity = draw.from(kIdentities);
  return draw_call(draw, identity.callable, {.dtypes = identity.dtypes});
}
Case draw_number_overload(Draw& draw) {
  Case c = draw_call(draw, draw.from(kNumberOverloads).number,
                     {.dtypes = kIntegers | kFloats | kFullComplex});
  constexpr std::array<double, 6> kNumbers{2.5, -0.5, 1e-3, 3, 0.1, 100};
  c.arguments[1] = draw.chance(50) ? number(draw.between(2, 9)) : number(draw.from(kNumbers));
  return c;
}

constexpr Callables<> kSub{"sub.Tensor"}, kReciprocal{"reciprocal"}, kSquare{"square"},
    kMaximum{"maximum"}, kClamp{"clamp.Tensor"}, kWhere{"where.self"}, kSign{"sign"},
    kBitwiseAnd{"bitwise_and.Tensor"}, kLogicalAnd{"logical_and"}, kXor{"bitwise_xor.Tensor"},
    kLerp{"lerp.Scalar"};

bool keeps_first_tensor(const Case& c) { return c.arguments[0].tag == Tag::kTensor; }
const Generator kCommutativeCalls =
    calls_of<kCommutativeOps>("calls of commutative ops", &keeps_one_dtype,
                              {{"dtype", 13, 1}, {"op", 19, 2}, {"value", 8, 2}});
const Generator kInvolutionCalls =
    calls_of<kInvolutions>("calls of involutions", nullptr, {{"dtype", 18, 0.5}, {"op", 3, 20}});
const Generator kProjectionCalls = calls_of<kProjections>(
    "calls of projections", nullptr, {{"dtype", 12, 3}, {"op", 9, 5}, {"value", 8, 2}});
const Generator kOddCalls = float_calls_of<kOddOps>("calls of odd functions", {{"op", 14, 3}});
const Generator kEvenCalls = float_calls_of<kEvenOps>("calls of even functions", {{"op", 6, 8}});
const Generator kIdentityCalls{"calls with an identity element",
                               &draw_identity,
                               &keeps_tensors,
                               {{"dtype", 10, 1}, {"op", 13, 3}, {"value", 8, 2}}};
const Generator kNumberCalls{"calls with a number",
                             &draw_number_overload,
                             nullptr,
                             {{"dtype", 11, 4}, {"op", 12, 3}, {"number", 2, 30}}};
const Generator kSelfCalls = calls_of<kSelfCancelling>("calls of x with x", &keeps_tensors,
                                                       {{"dtype", 12, 2}, {"op", 2, 30}});
const Generator kDifferences = calls_of<kSub, kRealsAndComplex>(
    "differences", &keeps_one_dtype, {{"dtype", 11, 4}, {"value", 8, 5}});
const Generator kReciprocals = float_calls_of<kReciprocal>("reciprocals");
const Generator kSquares =
    calls_of<kSquare, kReals>("squares", &keeps_number, {{"dtype", 9, 5}, {"value", 8, 2}});
const Generator kMaxima =
    calls_of<kMaximum, kReals>("maxima", &keeps_one_dtype, {{"dtype", 9, 5}, {"value", 8, 2}});
const Generator kClamps =
    calls_of<kClamp, kReals>("clamps", &keeps_first_tensor, {{"dtype", 9, 5}, {"value", 8, 2}});
const Generator kChoices =
    calls_of<kWhere, kElementwise>("choices", &keeps_tensors, {{"dtype", 22, 2}, {"value", 8, 5}});
const Generator kSigns =
    calls_of<kSign, kReals>("signs", nullptr, {{"dtype", 9, 5}, {"value", 8, 2}});
const Generator kConjunctions =
    calls_of<kBitwiseAnd, kLogical>("conjunctions of bits", &keeps_one_dtype, {{"dtype", 6, 8}});
const Generator kLogicalConjunctions = calls_of<kLogicalAnd, kRealsAndComplex>(
    "conjunctions", &keeps_tensors, {{"dtype", 11, 4}, {"value", 8, 5}});
const Generator kXors =
    calls_of<kXor, kLogical>("exclusive ors", &keeps_one_dtype, {{"dtype", 6, 8}});
const Generator kLerps =
    calls_of<kLerp, kFloats>("lerps", nullptr, {{"dtype", 4, 15}, {"value", 8, 5}});

Finding check_commutes(const System& system, const Case& c) {
  const Answer forward = system.answer(c);
  const Answer backward = ask(system, c.callable(), {y_of(c), x_of(c)}, c);
  // For equal zeros, an extremum may give either zero.
  if (is_call_of<kExtrema>(c) ? !same_but_for_signs_of_zeros(forward, backward)
                              : !same_answer(forward, backward))
    RC_FAIL("one order gives " + to_text(forward) + ", the other " + to_text(backward));
  return finding_of(forward);
}

void check_involution(const System& system, const Case& c, const Answer& once) {
  const Answer twice = unary(system, c.callable(), once, c);
  require_same("twice, and the operand", twice, itself(x_of(c), once));
}

void check_projection(const System& system, const Case& c, const Answer& once) {
  require_same("twice, and once", unary(system, c.callable(), once, c), once);
}

void check_odd(const System& system, const Case& c, const Answer& result) {
  const Answer negated = ask(system, "neg", {x_of(c)}, c);
  const Answer of_negated = unary(system, c.callable(), negated, c);
  require_same("f(-x), and -f(x)", of_negated, unary(system, "neg", result, c));
}

Finding check_even(const System& system, const Case& c) {
  const Answer negated = ask(system, "neg", {x_of(c)}, c);
  const Answer result = system.answer(c);
  require_same("f(-x), and f(x)", unary(system, c.callable(), negated, c), result);
  return finding_of(result);
}

Finding check_identity(const System& system, const Case& c) {
  Finding finding = Finding::kVacuous;
  for (const Identity& identity : kIdentities) {
    if (identity.callable != c.callable() || !identity.dtypes.contains(x_of(c).dtype)) continue;
    const Answer answer =
        ask(system, c.callable(), {x_of(c), filled(x_of(c), identity.element)}, c);
    if (!answered(answer)) continue;
    require_same("with " + std::to_string(identity.element) + ", and the operand", answer,
                 itself(x_of(c), answer));
    finding = Finding::kHolds;
  }
  return finding;
}

Finding check_number_is_a_tensor(const System& system, const Case& c) {
  const Answer by_number = system.answer(c);
  for (const NumberOverload& pair : kNumberOverloads)
    if (pair.number == c.callable())
      require_same("with a number, and with a wrapped number", by_number,
                   ask(system, pair.tensor, {x_of(c), y_of(c)}, c));
  return finding_of(by_number);
}

Finding check_cancels(const System& system, const Case& c) {
  const Answer answer = ask(system, c.callable(), {x_of(c), x_of(c)}, c);
  if (!answered(answer)) return Finding::kVacuous;
  const Elements x(x_of(c)), result(answer);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const bool right = x.is_finite(i) ? result.re(i) == 0 && result.im(i) == 0 : result.is_nan(i);
    if (!right) RC_FAIL("x with itself gives " + to_text(answer));
  }
  return Finding::kHolds;
}

void check_sub_is_add_of_neg(const System& system, const Case& c, const Answer& difference) {
  const Answer negated = ask(system, "neg", {y_of(c)}, c);
  require_same("x - y, and x + -y", difference,
               ask(system, "add.Tensor", {x_of(c), operand_of(negated)}, c));
  const Answer reversed = ask(system, "rsub.Tensor", {y_of(c), x_of(c)}, c);
  require_same("sub(x, y), and rsub(y, x)", difference, reversed);
}

Finding check_reciprocal(const System& system, const Case& c) {
  const Answer result = system.answer(c);
  require_same("reciprocal(x), and 1 / x", result,
               ask(system, "div.Tensor", {filled(x_of(c), 1), x_of(c)}, c));
  return finding_of(result);
}

Finding check_square(const System& system, const Case& c) {
  const Answer result = system.answer(c);
  require_same("square(x), and x * x", result, ask(system, "mul.Tensor", {x_of(c), x_of(c)}, c));
  return finding_of(result);
}

/// Checks that maximum and minimum give the two operands back, the larger one and the smaller one.
Finding check_extremes(const System& system, const Case& c) {
  const Answer large = system.answer(c);
  const Answer small = ask(system, "minimum", {x_of(c), y_of(c)}, c);
  if (!answered(large)) return Finding::kVacuous;
  const Elements x(x_of(c)), y(y_of(c)), high(large), low(small);
  if (x.dtype() != y.dtype()) return Finding::kVacuous;
  for (std::size_t i = 0; i < high.count(); ++i) {
    if (x.is_nan(i) || y.is_nan(i)) {
      if (!high.is_nan(i) || !low.is_nan(i)) RC_FAIL("NaN does not stay");
      continue;
    }
    const Wide a = x.order(i), b = y.order(i);
    if (high.order(i) != std::max(a, b) || low.order(i) != std::min(a, b))
      RC_FAIL("maximum gives " + to_text(large) + ", minimum " + to_text(small));
  }
  return Finding::kHolds;
}

void check_clamp(const System& system, const Case& c, const Answer& clamped) {
  Answer stepwise = ask(system, "clone", {x_of(c)}, c);
  const Operand &low = c.arguments[1], &high = c.arguments[2];
  if (low.tag == Tag::kTensor) stepwise = ask(system, "maximum", {operand_of(stepwise), low}, c);
  if (high.tag == Tag::kTensor) stepwise = ask(system, "minimum", {operand_of(stepwise), high}, c);
  if (!same_but_for_signs_of_zeros(clamped, stepwise))
    RC_FAIL("clamp gives " + to_text(clamped) + ", minimum of maximum " + to_text(stepwise));
}

Finding check_where(const System& system, const Case& c) {
  const Answer chosen = system.answer(c);
  const Operand &condition = c.arguments[0], &a = c.arguments[1], &b = c.arguments[2];
  if (!answered(chosen) || a.dtype != b.dtype) return Finding::kVacuous;
  const auto size = static_cast<std::size_t>(itemsize(a.dtype));
  Answer expected = chosen;
  for (std::size_t i = 0; i < Elements(chosen).count(); ++i) {
    const std::vector<std::byte>& from = Elements(condition).re(i) != 0 ? a.values : b.values;
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(i * size), size,
                expected.bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  require_same("the choice, and the elements", chosen, expected);
  return Finding::kHolds;
}

Finding check_sign_times_abs(const System& system, const Case& c) {
  const Answer sign = system.answer(c);
  const Answer magnitude = ask(system, "abs", {x_of(c)}, c);
  if (!answered(sign) || !answered(magnitude)) return Finding::kVacuous;
  const Answer product = binary(system, "mul.Tensor", sign, magnitude, c);
  const Elements x(x_of(c)), result(product);
  for (std::size_t i = 0; i < x.count(); ++i)
    if (!x.is_nan(i) && x.order(i) != result.order(i))
      RC_FAIL("sign(x) * abs(x) is " + to_text(product));
  return Finding::kHolds;
}

/// Checks de Morgan's rule: not (a and b) is (not a) or (not b), and the reverse.
Finding check_de_morgan(const System& system, const Case& c, std::string_view negation,
                        std::string_view conjunction, std::string_view disjunction) {
  const Answer both = ask(system, conjunction, {x_of(c), y_of(c)}, c);
  const Answer either = ask(system, disjunction, {x_of(c), y_of(c)}, c);
  if (!answered(both) || !answered(either)) return Finding::kVacuous;
  const Answer not_x = ask(system, negation, {x_of(c)}, c);
  const Answer not_y = ask(system, negation, {y_of(c)}, c);
  require_same("not (x and y), and (not x) or (not y)", unary(system, negation, both, c),
               binary(system, disjunction, not_x, not_y, c));
  require_same("not (x or y), and (not x) and (not y)", unary(system, negation, either, c),
               binary(system, conjunction, not_x, not_y, c));
  return Finding::kHolds;
}
Finding check_de_morgan_of_bits(const System& system, const Case& c) {
  return check_de_morgan(system, c, "bitwise_not", "bitwise_and.Tensor", "bitwise_or.Tensor");
}
Finding check_de_morgan_of_truth(const System& system, const Case& c) {
  return check_de_morgan(system, c, "logical_not", "logical_and", "logical_or");
}

Finding check_xor_inverse(const System& system, const Case& c) {
  const Answer once = system.answer(c);
  if (!answered(once) || x_of(c).dtype != y_of(c).dtype) return Finding::kVacuous;
  const Answer twice = ask(system, c.callable(), {operand_of(once), y_of(c)}, c);
  require_same("(x ^ y) ^ y, and x", twice, itself(x_of(c), once));
  return Finding::kHolds;
}

Finding check_lerp_ends(const System& system, const Case& c) {
  if (x_of(c).dtype != y_of(c).dtype) return Finding::kVacuous;
  const Answer start = ask(system, "lerp.Scalar", {x_of(c), y_of(c), number(0)}, c);
  const Answer end = ask(system, "lerp.Scalar", {x_of(c), y_of(c), number(1)}, c);
  if (!answered(start) || !answered(end)) return Finding::kVacuous;
  const Elements x(x_of(c)), y(y_of(c)), first(start), last(end);
  Finding finding = Finding::kVacuous;
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (!std::isfinite(y.re(i) - x.re(i)) || std::abs(y.re(i) - x.re(i)) > 1e30) continue;
    if (first.re(i) != x.re(i)) RC_FAIL("with weight 0 it gives " + to_text(start));
    if (last.re(i) != y.re(i)) RC_FAIL("with weight 1 it gives " + to_text(end));
    finding = Finding::kHolds;
  }
  return finding;
}

constexpr Callables<3> kNumberControl{"eq.Scalar", "mul.Scalar", "add.Scalar"};
constexpr Callables<> kBitwiseOr{"bitwise_or.Tensor"}, kLogicalOr{"logical_or"};

/// Whether a complex operand is infinite, NaN or a zero.
bool has_special_complex_operand(const Case& c) {
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor || !is_complex(operand.dtype)) continue;
    const Elements elements(operand);
    for (std::size_t i = 0; i < elements.count(); ++i)
      if (!elements.is_finite(i) || elements.re(i) == 0 || elements.im(i) == 0) return true;
  }
  return false;
}
bool is_complex_call(const Case& c) { return is_complex(c.arguments[0].dtype); }
/// Whether the exponential of a complex operand is 0.
bool has_complex_exponential_of_0(const Case& c) {
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor || !is_complex(operand.dtype)) continue;
    const Elements elements(operand);
    for (std::size_t i = 0; i < elements.count(); ++i)
      if (std::isinf(elements.re(i)) && elements.re(i) < 0) return true;
  }
  return false;
}
constexpr std::string_view kAlphaIsComplex =
    "complex add and sub multiply the second operand by alpha, a complex product: by 1+0j an "
    "infinite part makes the other one NaN, by -1+0j a zero loses its sign";
constexpr std::string_view kAlphaGrounds = "entry: a-real-alpha-is-multiplied-as-a-complex-number";

}  // namespace

std::span<const Property> algebra_properties() {
  static const std::vector<Property> properties = [] {
    std::vector<Property> all{
        law("CommutativeOpsCommute",
            "Sums, products, equalities, logical and bitwise ops, gcd, lcm, hypot, logaddexp, "
            "maxima and minima do not depend on the order of two operands of one dtype.",
            kCommutativeCalls, &check_commutes,
            {.what = "the result is wrong if the first operand is greater",
             .spoil = &nudge_of_greater_first},
            {{.system = "libtorch:cpu",
              .reason = kAlphaIsComplex,
              .counterexample = "add.Tensor(complex64[1]{1+infj}, complex64[1]{1+0j})",
              .ops = {"add", "sub"},
              .matches = &has_special_complex_operand,
              .grounds = kAlphaGrounds},
             {.system = kPyTorch,
              .reason = "logaddexp of two complex numbers with a real part of -inf is the second: "
                        "their exponentials and the sum are 0, which has no angle",
              .counterexample = "logaddexp(complex64[1]{-inf+1j}, complex64[1]{-inf+2j})",
              .ops = {"logaddexp"},
              .matches = &has_complex_exponential_of_0,
              .grounds = "ambiguous: a logarithm of 0 has no angle"},
             {.system = "libtorch:cpu",
              .reason = "logaddexp of complex numbers is log1p(exp(low - high)) + high: if the "
                        "real parts are equal the first number is high, and its imaginary part is "
                        "added without reduction",
              .counterexample = "logaddexp(complex64[1]{0+0j}, complex64[1]{0+3e38j})",
              .ops = {"logaddexp"},
              .matches = &is_complex_call,
              .grounds = "entry: logaddexp-of-complex-numbers"}}),
        law("NegationsAreInvolutions", "neg, bitwise_not and conj twice give the operand back.",
            kInvolutionCalls, of_answer(&check_involution),
            {.what = "a result is off by one ulp", .spoil = &nudge}),
        law("ProjectionsAreIdempotent",
            "abs, sign, relu, relu6, nan_to_num and the rounding functions give the same result "
            "applied once or twice.",
            kProjectionCalls, of_answer(&check_projection),
            {.what = "a result is off by one ulp", .spoil = &nudge}),
        law("OddFunctionsAreOdd", "f(-x) is -f(x), bit for bit.", kOddCalls, of_answer(&check_odd),
            {.what = "results of negative numbers are off", .spoil = &nudge_of_negative}),
        law("EvenFunctionsAreEven", "f(-x) is f(x), bit for bit.", kEvenCalls, &check_even,
            {.what = "results of negative numbers are off", .spoil = &nudge_of_negative}),
        law("IdentityElementsChangeNothing",
            "x + -0, x - 0, x * 1, x / 1, x ** 1, x | 0, x ^ 0, x << 0 and the like are x.",
            kIdentityCalls, &check_identity,
            {.what = "a result is off by one ulp", .spoil = &nudge},
            {{.system = "libtorch:cpu",
              .reason = kAlphaIsComplex,
              .counterexample = "sub.Tensor(complex64[1]{0-0j}, complex64[1]{0+0j})",
              .ops = {"add", "sub"},
              .matches = &has_special_complex_operand,
              .grounds = kAlphaGrounds}}),
        law("ANumberIsAWrappedTensor",
            "The overload for a number gives the answer of the overload for a tensor that holds "
            "the number.",
            kNumberCalls, &check_number_is_a_tensor,
            {.what = "eq, mul and add of a number are off", .spoil = &nudge_op<kNumberControl>}),
        law("WhatIsTakenFromItselfIsZero",
            "x - x and x ^ x are 0 if x is finite; otherwise x - x is NaN.", kSelfCalls,
            &check_cancels, {.what = "a result is off by one ulp", .spoil = &nudge}),
        law("SubtractionAddsTheNegative", "x - y is x + -y, and rsub(y, x) is x - y.", kDifferences,
            of_answer(&check_sub_is_add_of_neg),
            {.what = "sub is off by one ulp", .spoil = &nudge_op<kSub>},
            {{.system = "libtorch:cpu",
              .reason = kAlphaIsComplex,
              .counterexample = "sub.Tensor(complex128[1]{-0+0j}, complex128[1]{0+0j})",
              .ops = {"add", "sub"},
              .matches = &has_special_complex_operand,
              .grounds = kAlphaGrounds}}),
        law("TheReciprocalIsAQuotient", "reciprocal(x) is 1 / x.", kReciprocals, &check_reciprocal,
            {.what = "reciprocal is off by one ulp", .spoil = &nudge_op<kReciprocal>}),
        law("TheSquareIsAProduct", "square(x) is x * x.", kSquares, &check_square,
            {.what = "square is off by one ulp", .spoil = &nudge_op<kSquare>}),
        law("MaximumAndMinimumAreTheOperands",
            "maximum and minimum give the larger and the smaller operand, and NaN if either is "
            "NaN.",
            kMaxima, &check_extremes, {.what = "NaN becomes 0", .spoil = &nan_is_zero}),
        law("ClampIsTheMinimumOfAMaximum",
            "clamp(x, low, high) is minimum(maximum(x, low), high), also where low is above high.",
            kClamps, of_answer(&check_clamp),
            {.what = "clamp is off by one ulp", .spoil = &nudge_op<kClamp>}),
        law("WhereChoosesElements",
            "where gives elements of one operand or the other, bit for bit.", kChoices,
            &check_where, {.what = "where is off by one ulp", .spoil = &nudge_op<kWhere>}),
        law("ANumberIsItsSignTimesItsMagnitude", "sign(x) * abs(x) is x.", kSigns,
            &check_sign_times_abs, {.what = "sign is off", .spoil = &nudge_op<kSign>}),
        law("DeMorganHoldsForBits",
            "bitwise_not of x and y is bitwise_not of x or bitwise_not of y, and the other way "
            "round.",
            kConjunctions, &check_de_morgan_of_bits,
            {.what = "bitwise_or is off", .spoil = &nudge_op<kBitwiseOr>}),
        law("DeMorganHoldsForTruth",
            "logical_not of x and y is logical_not of x or logical_not of y, and the other way "
            "round.",
            kLogicalConjunctions, &check_de_morgan_of_truth,
            {.what = "logical_or is off", .spoil = &nudge_op<kLogicalOr>}),
        law("XorTwiceIsNothing", "(x ^ y) ^ y is x.", kXors, &check_xor_inverse,
            {.what = "bitwise_xor is off", .spoil = &nudge_op<kXor>}),
        law("LerpMeetsItsEnds",
            "lerp with weight 0 is the start, and with weight 1 the end, where their distance is "
            "finite.",
            kLerps, &check_lerp_ends,
            {.what = "lerp is off by one ulp", .spoil = &nudge_op<kLerp>}),
    };
    return all;
  }();
  return properties;
}

}  // namespace upcast::properties
