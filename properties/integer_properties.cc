// Properties of integers: arithmetic modulo 2^bits, division, shifts, greatest divisors.
#include "properties/laws.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

constexpr Callables<4> kWrapping{"add.Tensor", "sub.Tensor", "mul.Tensor", "neg"};
constexpr Callables<> kSum{"add.Tensor"}, kShift{"bitwise_left_shift.Tensor"},
    kRightShift{"bitwise_right_shift.Tensor"}, kFloorDivide{"floor_divide"},
    kRemainder{"remainder.Tensor"}, kFmod{"fmod.Tensor"}, kGcd{"gcd"}, kLcm{"lcm"},
    kAddcmul{"addcmul"}, kNot{"bitwise_not"}, kAbs{"abs"};

const std::vector<Demand> kDemands{{"dtype", 5, 10}, {"value", 4, 10}};
const Generator kWrappingCalls = calls_of<kWrapping, kIntegers>(
    "integer arithmetic", &keeps_integer, {{"dtype", 5, 10}, {"op", 4, 15}, {"value", 4, 10}});
const Generator kShifts = calls_of<kShift, kIntegers>("shifts", &keeps_integer, kDemands);
const Generator kFloorDivisions =
    calls_of<kFloorDivide, kIntegers>("floor divisions", &keeps_integer, kDemands);
const Generator kRemainders = calls_of<kFmod, kIntegers>("remainders", &keeps_integer, kDemands);
const Generator kDivisors =
    calls_of<kGcd, kIntegers>("greatest common divisors", &keeps_integer, kDemands);
const Generator kTriples = calls_of<kAddcmul, kIntegers>("sums of integer products", &keeps_integer,
                                                         {{"dtype", 5, 10}, {"arity", 1, 90}});
const Generator kNots = calls_of<kNot, kIntegers>("complements", &keeps_integer, kDemands);
const Generator kMagnitudes =
    calls_of<kAbs, kIntegers>("magnitudes of integers", &keeps_integer, kDemands);

/// The exact results of the ops in kWrapping, before they wrap, in the same order.
constexpr std::array<Wide (*)(Wide x, Wide y), kWrapping.size()> kExact{
    [](Wide x, Wide y) { return x + y; }, [](Wide x, Wide y) { return x - y; },
    [](Wide x, Wide y) { return x * y; }, [](Wide x, Wide) { return -x; }};

void check_wraps(const System&, const Case& c, const Answer& answer) {
  const auto op = std::find(kWrapping.begin(), kWrapping.end(), c.callable()) - kWrapping.begin();
  const Elements x(x_of(c)), result(answer);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const Wide y = c.arguments.size() > 1 ? Elements(y_of(c)).whole(i) : 0;
    if (result.whole(i) !=
        wrapped(answer.dtype, kExact[static_cast<std::size_t>(op)](x.whole(i), y)))
      RC_FAIL("not the exact result modulo 2^bits: " + to_text(answer));
  }
}

/// Whether an element of the shift is at least 0 and less than the width. The host decides all
/// other shifts.
bool shifts_within_width(const Operand& shift, std::size_t i) {
  const Wide by = Elements(shift).whole(i);
  return by >= 0 && by < 8 * itemsize(shift.dtype);
}

Finding check_shift(const System& system, const Case& c) {
  const Answer left = system.answer(c);
  const Answer right = ask(system, "bitwise_right_shift.Tensor", {x_of(c), y_of(c)}, c);
  if (!answered(left) || !answered(right)) return Finding::kVacuous;
  const Elements x(x_of(c)), shifted(left), back(right);
  Finding finding = Finding::kVacuous;
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (!shifts_within_width(y_of(c), i)) continue;
    const Wide power = static_cast<Wide>(1) << static_cast<int>(Elements(y_of(c)).whole(i));
    if (shifted.whole(i) != wrapped(left.dtype, x.whole(i) * power))
      RC_FAIL("x << k is not x * 2^k: " + to_text(left));
    Wide floor = x.whole(i) / power;
    if (floor * power > x.whole(i)) --floor;
    if (back.whole(i) != floor) RC_FAIL("x >> k is not floor(x / 2^k): " + to_text(right));
    finding = Finding::kHolds;
  }
  return finding;
}

/// Requires x = q y + r for a quotient q and a remainder r. r must be smaller than y, and have the
/// sign of `sign`, which is x or y.
void require_division(const Case& c, const Answer& quotient, const Answer& remainder,
                      const Operand& sign) {
  const auto magnitude = [](Wide value) { return value < 0 ? -value : value; };
  const Elements x(x_of(c)), y(y_of(c)), q(quotient), r(remainder), signs(sign);
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (wrapped(quotient.dtype, q.whole(i) * y.whole(i) + r.whole(i)) != x.whole(i))
      RC_FAIL("x is not q * y + r");
    if (magnitude(r.whole(i)) >= magnitude(y.whole(i)))
      RC_FAIL("the remainder is not below the divisor");
    if (r.whole(i) != 0 && (r.whole(i) < 0) != (signs.whole(i) < 0))
      RC_FAIL("the remainder has the wrong sign: " + to_text(remainder));
  }
}

Finding check_floor_division(const System& system, const Case& c) {
  if (holds(y_of(c), 0)) {
    if (answered(system.answer(c))) RC_FAIL("a division by zero is answered");
    return Finding::kHolds;
  }
  const Answer quotient = system.answer(c);
  const Answer remainder = ask(system, "remainder.Tensor", {x_of(c), y_of(c)}, c);
  if (!answered(quotient) || !answered(remainder)) return Finding::kVacuous;
  require_division(c, quotient, remainder, y_of(c));
  return Finding::kHolds;
}

Finding check_truncating_division(const System& system, const Case& c) {
  if (holds(y_of(c), 0)) return Finding::kVacuous;
  const Answer remainder = system.answer(c);
  Case division = call_of("div.Tensor_mode", {x_of(c), y_of(c)}, c);
  division.arguments[2] = {.tag = Operand::Tag::kText, .text = "trunc"};
  const Answer quotient = system.answer(division);
  if (!answered(quotient) || !answered(remainder)) return Finding::kVacuous;
  require_division(c, quotient, remainder, x_of(c));
  return Finding::kHolds;
}

void check_gcd(const System&, const Case& c, const Answer& divisor) {
  const Elements x(x_of(c)), y(y_of(c)), gcd(divisor);
  for (std::size_t i = 0; i < x.count(); ++i) {
    Wide a = x.whole(i) < 0 ? -x.whole(i) : x.whole(i),
         b = y.whole(i) < 0 ? -y.whole(i) : y.whole(i);
    while (b != 0) a = std::exchange(b, a % b);
    if (gcd.whole(i) != wrapped(divisor.dtype, a))
      RC_FAIL("it is not the greatest common divisor: " + to_text(divisor));
  }
}

Finding check_lcm(const System& system, const Case& c) {
  const Answer divisor = system.answer(c);
  const Answer multiple = ask(system, "lcm", {x_of(c), y_of(c)}, c);
  if (!answered(divisor) || !answered(multiple)) return Finding::kVacuous;
  const Elements x(x_of(c)), y(y_of(c)), gcd(divisor), lcm(multiple);
  for (std::size_t i = 0; i < x.count(); ++i) {
    const Wide product = gcd.whole(i) * lcm.whole(i), expected = x.whole(i) * y.whole(i);
    const Wide magnitude = expected < 0 ? -expected : expected;
    // The least common multiple may wrap, so that its sign is unknown. Either sign is then
    // accepted.
    if (wrapped(multiple.dtype, product - magnitude) != 0 &&
        wrapped(multiple.dtype, product + magnitude) != 0)
      RC_FAIL("gcd * lcm is not x * y: " + to_text(multiple));
  }
  return Finding::kHolds;
}

void check_distributes(const System& system, const Case& c, const Answer& together) {
  const Operand &a = c.arguments[0], &x = c.arguments[1], &y = c.arguments[2];
  const Answer product = ask(system, "mul.Tensor", {x, y}, c);
  require_same("addcmul(a, x, y), and a + x * y", together,
               ask(system, "add.Tensor", {a, operand_of(product)}, c));
  // Checks that (a + x) y = a y + x y.
  const Answer sum = ask(system, "add.Tensor", {a, x}, c);
  const Answer scaled = ask(system, "mul.Tensor", {a, y}, c);
  require_same("(a + x) * y, and a * y + x * y", ask(system, "mul.Tensor", {operand_of(sum), y}, c),
               binary(system, "add.Tensor", scaled, product, c));
}

void check_complement(const System&, const Case& c, const Answer& complement) {
  const Elements x(x_of(c)), result(complement);
  for (std::size_t i = 0; i < x.count(); ++i)
    if (result.whole(i) != wrapped(complement.dtype, -x.whole(i) - 1))
      RC_FAIL("~x is not -x - 1: " + to_text(complement));
}

void check_magnitude(const System&, const Case& c, const Answer& magnitude) {
  const Elements x(x_of(c)), result(magnitude);
  for (std::size_t i = 0; i < x.count(); ++i) {
    const Wide exact = x.whole(i) < 0 ? -x.whole(i) : x.whole(i);
    if (result.whole(i) != wrapped(magnitude.dtype, exact))
      RC_FAIL("not the magnitude modulo 2^bits: " + to_text(magnitude));
  }
}

bool holds_least(const Case& c) {
  return holds_least_integer(x_of(c)) || holds_least_integer(y_of(c));
}

/// A control: sums saturate instead of wrapping.
void saturate_sums(const Case& c, Answer& answer) {
  if (!is_call_of<kSum>(c) || answer.tag != Answer::Tag::kTensor) return;
  const Wide exact = Elements(x_of(c)).whole(0) + Elements(y_of(c)).whole(0);
  if (wrapped(answer.dtype, exact) != exact) nudge(c, answer);
}

}  // namespace

std::span<const Property> integer_properties() {
  static const std::vector<Property> properties{
      law("IntegersWrap", "add, sub, mul and neg of integers give the exact result modulo 2^bits.",
          kWrappingCalls, of_answer(&check_wraps),
          {.what = "sums out of range do not wrap", .spoil = &saturate_sums}),
      law("ShiftsAreProductsAndQuotients",
          "x << k is x * 2^k modulo 2^bits, x >> k is floor(x / 2^k), for k below the width.",
          kShifts, &check_shift,
          {.what = "the right shift is off", .spoil = &nudge_op<kRightShift>}, {}, 25),
      law("FloorDivisionLeavesItsRemainder",
          "floor_divide(x, y) * y + remainder(x, y) is x, the remainder has the sign of y and is "
          "smaller; a zero divisor is refused.",
          kFloorDivisions, &check_floor_division,
          {.what = "remainder is off", .spoil = &nudge_op<kRemainder>}),
      law("TruncatingDivisionLeavesItsRemainder",
          "div(x, y, trunc) * y + fmod(x, y) is x, and the remainder has the sign of x.",
          kRemainders, &check_truncating_division,
          {.what = "fmod is off", .spoil = &nudge_op<kFmod>}),
      law("GcdIsTheGreatestCommonDivisor",
          "gcd is the greatest common divisor of the magnitudes, modulo 2^bits.", kDivisors,
          of_answer(&check_gcd), {.what = "gcd is off", .spoil = &nudge_op<kGcd>},
          {{.system = "libtorch:cpu",
            .reason = "the magnitude of the most negative integer does not fit its dtype, and "
                      "Euclid's algorithm gives negative remainders for it",
            .counterexample = "gcd(int8[1]{-128}, int8[1]{6})",
            .matches = &holds_least,
            .grounds = "entry: gcd-of-the-most-negative-integer-is-negative"}}),
      law("GcdTimesLcmIsTheProduct",
          "gcd(x, y) * lcm(x, y) is x * y up to its sign, modulo 2^bits.", kDivisors, &check_lcm,
          {.what = "lcm is off", .spoil = &nudge_op<kLcm>},
          {{.system = "libtorch:cpu",
            .reason = "lcm of the least integer ends the process",
            .counterexample = "",
            .matches = &holds_least,
            .grounds = "entry: lcm-of-the-most-negative-integer-kills-the-process"}}),
      law("MultiplicationDistributes",
          "(a + x) * y is a * y + x * y, and addcmul(a, x, y) is a + x * y, modulo 2^bits.",
          kTriples, of_answer(&check_distributes),
          {.what = "addcmul is off", .spoil = &nudge_op<kAddcmul>}),
      law("TheComplementIsMinusXMinusOne", "bitwise_not(x) is -x - 1, modulo 2^bits.", kNots,
          of_answer(&check_complement), {.what = "bitwise_not is off", .spoil = &nudge_op<kNot>}),
      law("TheMagnitudeOfTheLeastIntegerWraps",
          "abs of integers is the exact magnitude modulo 2^bits.", kMagnitudes,
          of_answer(&check_magnitude), {.what = "abs is off", .spoil = &nudge_op<kAbs>}),
  };
  return properties;
}

}  // namespace upcast::properties
