// Properties that are exact for every value: order, NaN, rounding, parts of numbers, conversions.
#include <algorithm>

#include "properties/laws.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr Callables<> kNextafter{"nextafter"}, kCopysign{"copysign.Tensor"}, kLess{"lt.Tensor"},
    kLessEqual{"le.Tensor"}, kGreater{"gt.Tensor"}, kFmax{"fmax"}, kIsnan{"isnan"}, kIsinf{"isinf"},
    kFloor{"floor"}, kCeil{"ceil"}, kRound{"round"}, kFrac{"frac"}, kFrexp{"frexp.Tensor"},
    kComplexOp{"complex"}, kImag{"imag"}, kNanToNum{"nan_to_num"}, kHeaviside{"heaviside"},
    kSignbit{"signbit"}, kCopy{"copy_"}, kNotEqual{"ne.Tensor"};

constexpr Callables<42> kNanKeepers{
    "exp",     "exp2",       "expm1",      "log",        "log10",      "log1p",   "log2",
    "sqrt",    "rsqrt",      "sin",        "cos",        "tan",        "asin",    "acos",
    "atan",    "sinh",       "cosh",       "tanh",       "asinh",      "acosh",   "atanh",
    "sigmoid", "erf",        "erfc",       "erfinv",     "lgamma",     "digamma", "reciprocal",
    "square",  "neg",        "abs",        "ceil",       "floor",      "round",   "trunc",
    "frac",    "add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "maximum", "atan2"};

constexpr DTypeSet kComparable = kLogical | kFloats;
constexpr DTypeSet kPartsDTypes{DType::kFloat16, DType::kFloat32, DType::kFloat64};
const std::vector<Demand> kComparisonDemands{{"dtype", 10, 5}, {"value", 8, 2}};

const Generator kNeighbours = calls_of<kNextafter, kFullFloats>(
    "neighbours", &keeps_float, {{"dtype", 2, 30}, {"value", 8, 5}});
const Generator kSignCopies = float_calls_of<kCopysign>("copies of signs");
const Generator kOrders =
    calls_of<kLess, kComparable>("orders", &keeps_one_dtype, kComparisonDemands);
/// Draws a call of an op that keeps NaN. Most operands have one.
Case draw_nan_call(Draw& draw) {
  Case c = draw_call_of<kNanKeepers, kFloats>(draw);
  Operand& operand = c.arguments[c.arguments.size() > 1 && draw.chance(30) ? 1 : 0];
  if (operand.tag != Tag::kTensor || draw.chance(20)) return c;
  const std::vector<std::byte> nan =
      filled(operand, std::numeric_limits<double>::quiet_NaN()).values;
  std::copy_n(nan.begin(), itemsize(operand.dtype), operand.values.begin());
  return c;
}
const Generator kNanCalls{"calls that keep NaN",
                          &draw_nan_call,
                          &keeps_float,
                          {{"dtype", 4, 15}, {"op", 42, 0.5}, {"value", 8, 5}}};
const Generator kFmaxima = float_calls_of<kFmax>("maxima that ignore NaN");
const Generator kClassified = calls_of<kIsnan, kRealsAndComplex>(
    "classified numbers", nullptr, {{"dtype", 11, 4}, {"value", 8, 4}});
const Generator kRoundings = float_calls_of<kFloor>("roundings");
const Generator kMantissas = float_calls_of<kFrexp>("mantissas");
const Generator kPartPairs = calls_of<kComplexOp, kPartsDTypes>(
    "pairs of parts", &keeps_float, {{"dtype", 3, 20}, {"value", 8, 5}});
const Generator kReplacements = float_calls_of<kNanToNum>("replacements of NaN");
const Generator kSteps =
    calls_of<kHeaviside, kReals>("steps", &keeps_number, {{"dtype", 9, 5}, {"value", 8, 2}});
const Generator kSignbits = float_calls_of<kSignbit>("sign bits");

/// Draws a conversion copy_(narrow, wide) between any two dtypes.
Case draw_conversion(Draw& draw) {
  Case c = case_of("copy_");
  const std::int64_t length = draw.between(1, 6);
  c.arguments[0] = tensor(draw.from(kElementwise), {length});
  c.arguments[1] = tensor(draw.from(kElementwise), {length});
  c.arguments[1].values = draw_elements(draw, c.arguments[1].dtype, length);
  return c;
}
const Generator kConversions{
    "conversions", &draw_conversion, &keeps_tensors, {{"dtype", 22, 5}, {"value", 8, 5}}};

Finding check_nextafter(const System& system, const Case& c) {
  const Answer up = ask(system, "nextafter", {x_of(c), filled(x_of(c), kInfinity)}, c);
  if (!answered(up)) return Finding::kVacuous;
  const Answer back = ask(system, "nextafter", {operand_of(up), filled(x_of(c), -kInfinity)}, c);
  const Elements x(x_of(c)), next(up), result(back);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (!x.is_finite(i)) continue;
    if (!(next.re(i) > x.re(i))) RC_FAIL("the next number is not greater: " + to_text(up));
    if (result.re(i) != x.re(i)) RC_FAIL("the way back does not give it: " + to_text(back));
  }
  return Finding::kHolds;
}

void check_copysign(const System&, const Case& c, const Answer& result) {
  const Elements x(x_of(c)), y(y_of(c)), signed_x(result);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (x.is_nan(i) || y.is_nan(i)) continue;
    if (std::abs(signed_x.re(i)) != std::abs(x.re(i)) ||
        std::signbit(signed_x.re(i)) != std::signbit(y.re(i)))
      RC_FAIL("not the magnitude of x with the sign of y: " + to_text(result));
  }
}

/// Checks each of the six comparisons by its definition on the order of the values.
Finding check_order(const System& system, const Case& c) {
  struct Comparison {
    std::string_view callable;
    bool (*holds)(Wide a, Wide b);
    bool of_nan;
  };
  constexpr std::array<Comparison, 6> kComparisons{{
      {"lt.Tensor", [](Wide a, Wide b) { return a < b; }, false},
      {"le.Tensor", [](Wide a, Wide b) { return a <= b; }, false},
      {"gt.Tensor", [](Wide a, Wide b) { return a > b; }, false},
      {"ge.Tensor", [](Wide a, Wide b) { return a >= b; }, false},
      {"eq.Tensor", [](Wide a, Wide b) { return a == b; }, false},
      {"ne.Tensor", [](Wide a, Wide b) { return a != b; }, true},
  }};
  const Elements x(x_of(c)), y(y_of(c));
  for (const Comparison& comparison : kComparisons) {
    const Answer answer = ask(system, comparison.callable, {x_of(c), y_of(c)}, c);
    if (!answered(answer)) return Finding::kVacuous;
    for (std::size_t i = 0; i < x.count(); ++i) {
      const bool unordered = x.is_nan(i) || y.is_nan(i);
      const bool expected =
          unordered ? comparison.of_nan : comparison.holds(x.order(i), y.order(i));
      if ((Elements(answer).re(i) != 0) != expected)
        RC_FAIL(std::string(comparison.callable) + " gives " + to_text(answer));
    }
  }
  return Finding::kHolds;
}

void check_trichotomy(const System& system, const Case& c, const Answer& less) {
  const Answer greater = ask(system, "gt.Tensor", {x_of(c), y_of(c)}, c);
  const Answer equal = ask(system, "eq.Tensor", {x_of(c), y_of(c)}, c);
  const Elements x(x_of(c)), y(y_of(c));
  for (std::size_t i = 0; i < x.count(); ++i) {
    const double holding = Elements(less).re(i) + Elements(greater).re(i) + Elements(equal).re(i);
    if (holding != (x.is_nan(i) || y.is_nan(i) ? 0 : 1))
      RC_FAIL(std::to_string(static_cast<int>(holding)) + " of <, > and == hold");
  }
}

Finding check_mirror(const System& system, const Case& c) {
  const Answer less = system.answer(c);
  require_same("x < y, and y > x", less, ask(system, "gt.Tensor", {y_of(c), x_of(c)}, c));
  require_same("x <= y, and y >= x", ask(system, "le.Tensor", {x_of(c), y_of(c)}, c),
               ask(system, "ge.Tensor", {y_of(c), x_of(c)}, c));
  const Answer equal = ask(system, "eq.Tensor", {x_of(c), y_of(c)}, c);
  if (!answered(less) || !answered(equal)) return Finding::kVacuous;
  require_same("x <= y, and x < y or x == y", ask(system, "le.Tensor", {x_of(c), y_of(c)}, c),
               binary(system, "logical_or", less, equal, c));
  require_same("x != y, and not x == y", ask(system, "ne.Tensor", {x_of(c), y_of(c)}, c),
               unary(system, "logical_not", equal, c));
  return Finding::kHolds;
}

Finding check_nan_stays(const System& system, const Case& c) {
  const Answer result = system.answer(c);
  if (!answered(result)) return Finding::kVacuous;
  Finding finding = Finding::kVacuous;
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor) continue;
    for (std::size_t i = 0; i < Elements(operand).count(); ++i) {
      if (!Elements(operand).is_nan(i)) continue;
      if (!Elements(result).is_nan(i)) RC_FAIL("of a NaN it gives " + to_text(result));
      finding = Finding::kHolds;
    }
  }
  return finding;
}

void check_nan_is_ignored(const System& system, const Case& c, const Answer& large) {
  const Answer small = ask(system, "fmin", {x_of(c), y_of(c)}, c);
  const Elements x(x_of(c)), y(y_of(c)), high(large), low(small);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (x.is_nan(i) && y.is_nan(i)) {
      if (!high.is_nan(i) || !low.is_nan(i)) RC_FAIL("two NaN give " + to_text(large));
      continue;
    }
    const double a = x.is_nan(i) ? y.re(i) : x.re(i), b = y.is_nan(i) ? x.re(i) : y.re(i);
    if (high.re(i) != std::max(a, b) || low.re(i) != std::min(a, b))
      RC_FAIL("fmax gives " + to_text(large) + ", fmin " + to_text(small));
  }
}

Finding check_classes(const System& system, const Case& c) {
  const Answer nan = system.answer(c);
  const Answer infinite = ask(system, "isinf", {x_of(c)}, c);
  const Answer finite = ask(system, "isfinite", {x_of(c)}, c);
  if (!answered(nan) || !answered(infinite) || !answered(finite)) return Finding::kVacuous;
  const Elements x(x_of(c)), is_nan(nan), is_infinite(infinite), is_finite(finite);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if ((is_nan.re(i) != 0) != x.is_nan(i)) RC_FAIL("isnan gives " + to_text(nan));
    if ((is_infinite.re(i) != 0) != (std::isinf(x.re(i)) || std::isinf(x.im(i))))
      RC_FAIL("isinf gives " + to_text(infinite));
    if ((is_finite.re(i) != 0) != x.is_finite(i)) RC_FAIL("isfinite gives " + to_text(finite));
  }
  return Finding::kHolds;
}

/// Checks floor, ceil, trunc and round by their definitions, which are exact in float64.
Finding check_rounding(const System& system, const Case& c) {
  const Answer floor = system.answer(c), ceil = ask(system, "ceil", {x_of(c)}, c),
               trunc = ask(system, "trunc", {x_of(c)}, c),
               round = ask(system, "round", {x_of(c)}, c);
  if (!answered(floor)) return Finding::kVacuous;
  const Elements x(x_of(c));
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (!x.is_finite(i)) continue;
    const double value = x.re(i), low = Elements(floor).re(i), high = Elements(ceil).re(i);
    const double whole = Elements(trunc).re(i), near = Elements(round).re(i);
    const double gap = value == std::floor(value) ? 0 : 1;
    if (!(low <= value && value <= high) || high - low != gap)
      RC_FAIL("floor gives " + to_text(floor) + ", ceil " + to_text(ceil));
    if (whole != (value < 0 ? high : low)) RC_FAIL("trunc gives " + to_text(trunc));
    const bool half = std::abs(near - value) == 0.5;
    if ((near != low && near != high) || std::abs(near - value) > 0.5 ||
        (half && std::fmod(near, 2) != 0))
      RC_FAIL("round gives " + to_text(round));
  }
  return Finding::kHolds;
}

Finding check_ceil_mirrors_floor(const System& system, const Case& c) {
  const Answer negated = ask(system, "neg", {x_of(c)}, c);
  const Answer floor_of_negated = unary(system, "floor", negated, c);
  const Answer ceil = ask(system, "ceil", {x_of(c)}, c);
  require_same("ceil(x), and -floor(-x)", ceil, unary(system, "neg", floor_of_negated, c));
  return finding_of(ceil);
}

Finding check_frac(const System& system, const Case& c) {
  const Answer frac = ask(system, "frac", {x_of(c)}, c);
  const Answer trunc = ask(system, "trunc", {x_of(c)}, c);
  if (!answered(frac) || !answered(trunc)) return Finding::kVacuous;
  require_same("frac(x), and x - trunc(x)", frac,
               ask(system, "sub.Tensor", {x_of(c), operand_of(trunc)}, c));
  const Elements x(x_of(c));
  for (std::size_t i = 0; i < x.count(); ++i)
    if (x.is_finite(i) && !(std::abs(Elements(frac).re(i)) < 1))
      RC_FAIL("frac gives " + to_text(frac));
  return Finding::kHolds;
}

Finding check_frexp(const System& system, const Case& c) {
  const Answer mantissa = system.answer(c);
  if (!answered(mantissa) || mantissa.further.size() != 1) return Finding::kVacuous;
  const Elements x(x_of(c)), fraction(mantissa);
  for (std::size_t i = 0; i < x.count(); ++i) {
    const double magnitude = std::abs(fraction.re(i));
    if (x.is_finite(i) && x.re(i) != 0 && !(magnitude >= 0.5 && magnitude < 1))
      RC_FAIL("the mantissa is not in [0.5, 1): " + to_text(mantissa));
    if (!x.is_finite(i)) continue;
    const double exponent = Elements(mantissa.further[0]).re(i);
    if (std::ldexp(fraction.re(i), static_cast<int>(exponent)) != x.re(i))
      RC_FAIL("m * 2^e is not x: " + to_text(mantissa) + ", " + to_text(mantissa.further[0]));
  }
  return Finding::kHolds;
}

void check_parts(const System& system, const Case& c, const Answer& complex) {
  const Answer real = unary(system, "real", complex, c), imag = unary(system, "imag", complex, c);
  require_same("the real part, and what it was made of", real, itself(x_of(c), real));
  require_same("the imaginary part, and what it was made of", imag, itself(y_of(c), imag));
}

Finding check_nan_to_num(const System& system, const Case& c) {
  const Answer result = ask(system, "nan_to_num", {x_of(c)}, c);
  if (!answered(result)) return Finding::kVacuous;
  const Elements x(x_of(c)), numbers(result);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (!numbers.is_finite(i)) RC_FAIL("it leaves " + to_text(result));
    if (x.is_finite(i) && numbers.re(i) != x.re(i)) RC_FAIL("it changes a number");
    if (x.is_nan(i) && numbers.re(i) != 0) RC_FAIL("NaN becomes " + to_text(result));
  }
  return Finding::kHolds;
}

void check_heaviside(const System&, const Case& c, const Answer& result) {
  const Elements x(x_of(c)), y(y_of(c)), step(result);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (x.is_nan(i) || y.is_nan(i)) continue;
    const double expected = x.re(i) == 0 ? y.re(i) : x.re(i) > 0 ? 1 : 0;
    if (step.re(i) != expected) RC_FAIL("it gives " + to_text(result));
  }
}

void check_signbit(const System& system, const Case& c, const Answer& bit) {
  const Answer negated = ask(system, "neg", {x_of(c)}, c);
  const Answer other = unary(system, "signbit", negated, c);
  const Elements x(x_of(c));
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (x.is_nan(i)) continue;
    if ((Elements(bit).re(i) != 0) != std::signbit(x.re(i)))
      RC_FAIL("signbit gives " + to_text(bit));
    if ((Elements(bit).re(i) != 0) == (Elements(other).re(i) != 0))
      RC_FAIL("x and -x have one sign bit");
  }
}

/// Whether every value of `narrow` is a value of `wide`.
bool holds_every(DType wide, DType narrow) {
  if (is_bool(narrow)) return wide != DType::kFloat8E8M0FNU;  // 0 is no value of float8_e8m0fnu
  if (is_complex(narrow) && !is_complex(wide)) return false;
  if (is_integral(narrow) && is_integral(wide)) {
    const int more = itemsize(wide) - itemsize(narrow);
    return is_signed(narrow) == is_signed(wide) ? more >= 0 : is_signed(wide) && more > 0;
  }
  const std::optional<FloatRange> range = range_of(to_real(wide));
  if (!range) return false;
  if (is_integral(narrow)) {
    const int bits = 8 * itemsize(narrow) - (is_signed(narrow) ? 1 : 0);
    return bits <= range->precision && bits <= range->highest;
  }
  const std::optional<FloatRange> other = range_of(to_real(narrow));
  return other && other->precision <= range->precision && other->lowest >= range->lowest &&
         other->highest <= range->highest;
}

Operand target(DType dtype, const Operand& like) { return tensor(dtype, like.sizes); }

/// The elements of a tensor, converted to another dtype.
Answer converted(const System& system, const Operand& from, DType to, const Case& c) {
  return ask(system, "copy_", {target(to, from), from}, c);
}

Finding check_round_trip(const System& system, const Case& c) {
  const Operand& from = c.arguments[1];
  const DType wide = c.arguments[0].dtype;
  if (!holds_every(wide, from.dtype)) return Finding::kVacuous;
  const Answer there = converted(system, from, wide, c);
  if (!answered(there)) return Finding::kVacuous;
  const Answer back = converted(system, operand_of(there), from.dtype, c);
  if (!same_answer(back, itself(from, back)))
    RC_FAIL("there it is " + to_text(there) + ", and back " + to_text(back));
  return Finding::kHolds;
}

/// Checks that conversions keep the order: the greater of two numbers does not become the lesser
/// one.
Finding check_conversion_is_monotone(const System& system, const Case& c) {
  const Operand& from = c.arguments[1];
  const DType to = c.arguments[0].dtype;
  const bool real = !is_complex(from.dtype) && !is_complex(to);
  if (!real || !is_floating(to) || to == DType::kFloat8E8M0FNU ||
      from.dtype == DType::kFloat8E8M0FNU)
    return Finding::kVacuous;
  const Answer result = converted(system, from, to, c);
  if (!answered(result)) return Finding::kVacuous;
  const Elements x(from), y(result);
  for (std::size_t i = 0; i < x.count(); ++i)
    for (std::size_t j = 0; j < x.count(); ++j) {
      if (x.is_nan(i) || x.is_nan(j) || y.is_nan(i) || y.is_nan(j)) continue;
      if (x.re(i) < x.re(j) && y.re(i) > y.re(j)) RC_FAIL("the order turns: " + to_text(result));
    }
  return Finding::kHolds;
}

/// Checks conversions to bool (nonzero), from bool (0 or 1), and from complex to real (its real
/// part).
Finding check_conversion_to_bool(const System& system, const Case& c) {
  const Operand& from = c.arguments[1];
  const Answer truth = converted(system, from, DType::kBool, c);
  if (!answered(truth)) return Finding::kVacuous;
  const Elements x(from), result(truth);
  for (std::size_t i = 0; i < x.count(); ++i) {
    const bool nonzero = x.is_nan(i) || x.re(i) != 0 || x.im(i) != 0;
    if ((result.re(i) != 0) != nonzero) RC_FAIL("it gives " + to_text(truth));
  }
  return Finding::kHolds;
}

void widen_wrongly(const Case& c, Answer& answer) {
  if (is_call_of<kCopy>(c) && itemsize(answer.dtype) > 2) nudge(c, answer);
}
void turn_order(const Case& c, Answer& answer) {
  if (answer.dtype != DType::kFloat16 || answer.bytes.size() < 4 || !is_call_of<kCopy>(c)) return;
  std::swap(answer.bytes[0], answer.bytes[2]), std::swap(answer.bytes[1], answer.bytes[3]);
}
void only_whole_numbers_are_true(const Case& c, Answer& answer) {
  if (answer.dtype == DType::kBool && is_floating(c.arguments[1].dtype) &&
      std::abs(Elements(c.arguments[1]).re(0)) < 1)
    answer.bytes[0] = std::byte{0};
}

}  // namespace

std::span<const Property> exactness_properties() {
  static const std::vector<Property> properties{
      law("NextafterComesBack",
          "nextafter upwards gives a greater number, and nextafter downwards the first one again.",
          kNeighbours, &check_nextafter,
          {.what = "nextafter is off by one ulp", .spoil = &nudge_op<kNextafter>}),
      law("CopysignTakesMagnitudeAndSign",
          "copysign has the magnitude of the first operand and the sign of the second.",
          kSignCopies, of_answer(&check_copysign),
          {.what = "copysign is off by one ulp", .spoil = &nudge_op<kCopysign>}),
      law("ComparisonsFollowTheOrderOfValues",
          "The six comparisons are those of the values' order; -0 equals +0, and NaN is unequal to "
          "everything.",
          kOrders, &check_order, {.what = "le gives the opposite", .spoil = &nudge_op<kLessEqual>}),
      law("OneOfLessEqualGreaterHolds",
          "Exactly one of x < y, x == y and x > y holds, and none if either is NaN.", kOrders,
          of_answer(&check_trichotomy),
          {.what = "gt gives the opposite", .spoil = &nudge_op<kGreater>}),
      law("ComparisonsMirror",
          "x < y is y > x, x <= y is y >= x and x < y or x == y, x != y is not x == y.", kOrders,
          &check_mirror, {.what = "ne gives the opposite", .spoil = &nudge_op<kNotEqual>}),
      law("NaNStays",
          "A function of one argument, and arithmetic, gives NaN where an operand is NaN.",
          kNanCalls, &check_nan_stays, {.what = "NaN becomes 0", .spoil = &nan_is_zero}),
      law("FmaxAndFminIgnoreNaN",
          "fmax and fmin give the operand that is not NaN, else the greater and the lesser one.",
          kFmaxima, of_answer(&check_nan_is_ignored),
          {.what = "fmax is off by one ulp", .spoil = &nudge_op<kFmax>},
          {{.system = "libtorch:cpu",
            .reason = "std::fmax and std::fmin of x86 make a NaN of a signalling NaN instead of "
                      "ignoring it as documented",
            .counterexample = "fmax(float32[1]{bits:0xff89f01a}, float32[1]{1})",
            .matches = &holds_signalling_nan,
            .grounds = "entry: fmax-fmin-are-the-c-library-s"}}),
      law("EveryNumberIsFiniteInfiniteOrNaN",
          "isnan, isinf and isfinite classify a number; a complex one by its parts.", kClassified,
          &check_classes, {.what = "isinf gives the opposite", .spoil = &nudge_op<kIsinf>}),
      law("RoundingsAreTheNeighbouringIntegers",
          "floor and ceil enclose x; trunc is the one nearer to 0; round is the one nearer to x, "
          "halves to even.",
          kRoundings, &check_rounding, {.what = "round is off", .spoil = &nudge_op<kRound>}),
      law("CeilMirrorsFloor", "ceil(x) is -floor(-x), signs of zeros included.", kRoundings,
          &check_ceil_mirrors_floor, {.what = "ceil is off", .spoil = &nudge_op<kCeil>}),
      law("FracIsWhatTruncLeaves", "frac(x) is x - trunc(x), below 1 in magnitude.", kRoundings,
          &check_frac, {.what = "frac is off", .spoil = &nudge_op<kFrac>}),
      law("FrexpTakesANumberApart",
          "The mantissa of frexp is in [0.5, 1), and times 2^exponent it is the number.",
          kMantissas, &check_frexp,
          {.what = "the mantissa is off by one ulp", .spoil = &nudge_op<kFrexp>}),
      law("AComplexNumberHasItsParts", "real and imag of complex(x, y) are x and y, bit for bit.",
          kPartPairs, of_answer(&check_parts), {.what = "imag is off", .spoil = &nudge_op<kImag>}),
      law("NanToNumLeavesNumbers",
          "nan_to_num gives finite numbers only, 0 for NaN, and does not change finite ones.",
          kReplacements, &check_nan_to_num,
          {.what = "nan_to_num is off by one ulp", .spoil = &nudge_op<kNanToNum>}),
      law("HeavisideSteps", "heaviside(x, y) is 0 below 0, 1 above it and y at 0.", kSteps,
          of_answer(&check_heaviside),
          {.what = "heaviside is off", .spoil = &nudge_op<kHeaviside>}),
      law("TheSignBitTurns", "signbit gives the sign, also of zeros, and neg changes it.",
          kSignbits, of_answer(&check_signbit),
          {.what = "signbit gives the opposite", .spoil = &nudge_op<kSignbit>}),
      law("ConversionsComeBack",
          "A value that is converted to a dtype that holds all values of its own dtype, and back, "
          "stays the same.",
          kConversions, &check_round_trip,
          {.what = "conversions to wider dtypes are off", .spoil = &widen_wrongly}, {}, 15),
      law("ConversionsKeepTheOrder",
          "Conversion between real floating dtypes never reverses the order of two numbers.",
          kConversions, &check_conversion_is_monotone,
          {.what = "two elements are exchanged", .spoil = &turn_order}, {}, 15),
      law("NonzeroIsTrue", "Conversion to bool is true for every value except zeros, also for NaN.",
          kConversions, &check_conversion_to_bool,
          {.what = "numbers below 1 are false", .spoil = &only_whole_numbers_are_true}),
  };
  return properties;
}

}  // namespace upcast::properties
