// The truth of ops over integers and bool, computed exactly with int128 and FLINT's integers. No
// functor of impl/ is used.
#include <fmpz.h>

#include <algorithm>

#include "impl/ops/number_cast.h"
#include "oracle/truth/ball.h"
#include "oracle/truth/integer_definition.h"

namespace upcast::truth {
namespace {

using Ints = std::span<const Int>;
using enum IntegerResult::Kind;

constexpr std::string_view kModulo = "exact, modulo 2^bits (PyTorch wraps)";
constexpr std::string_view kQuotient =
    "exact; by zero refused (torch.div, torch.remainder: ZeroDivisionError)";
constexpr std::string_view kOrder = "the order of the integers";
constexpr std::string_view kBits = "two's complement; bool by truth tables";
constexpr std::string_view kTruthValue = "torch.logical_and: zeros are False, others True";
constexpr std::string_view kWhole = "an integer stays as it is (torch.floor and others)";
constexpr std::string_view kFinite = "an integer is a finite real number";

/// Products and sums wrap modulo 2^128, and so are right modulo 2^64 and less.
Int times(Int a, Int b) { return static_cast<Int>(static_cast<UInt>(a) * static_cast<UInt>(b)); }
Int plus(Int a, Int b) { return static_cast<Int>(static_cast<UInt>(a) + static_cast<UInt>(b)); }
Int magnitude(Int x) { return x < 0 ? -x : x; }
Int sign(Int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// An integer of FLINT. The values that it is made from have 64 bits and a sign.
struct Fmpz : Owned<fmpz_t, fmpz_init, fmpz_clear> {
  Fmpz() = default;
  explicit Fmpz(Int value) {
    fmpz_set_ui(get(), static_cast<ulong>(magnitude(value)));
    if (value < 0) fmpz_neg(get(), get());
  }
  /// The integer as an Int. It must not be negative, and must fit 128 bits.
  Int value() {
    Fmpz base(Int{1} << 32), rest, digit;
    fmpz_set(rest.get(), get());
    Int sum = 0;
    for (int place = 0; place < 127 && fmpz_is_zero(rest.get()) == 0; place += 32) {
      fmpz_fdiv_r(digit.get(), rest.get(), base.get());
      fmpz_fdiv_q(rest.get(), rest.get(), base.get());
      sum += static_cast<Int>(fmpz_get_ui(digit.get())) << place;
    }
    return sum;
  }
};

Int floor_quotient(Int a, Int b) {
  const Int quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Int greatest_divisor(Int a, Int b) {
  Fmpz x(a), y(b), divisor;
  fmpz_gcd(divisor.get(), x.get(), y.get());
  return divisor.value();
}

/// The exact result; open if it is beyond the dtype's range, because the documentation does not
/// define it there.
IntegerResult in_range(Int exact, DType common) {
  return wrap(exact, common) == exact ? IntegerResult(exact) : IntegerResult(kOpen);
}

IntegerResult gcd(Ints x, DType common) { return in_range(greatest_divisor(x[0], x[1]), common); }
IntegerResult lcm(Ints x, DType common) {
  const Int divisor = greatest_divisor(x[0], x[1]);
  if (divisor == 0) return Int{0};
  return in_range(times(magnitude(x[0]) / divisor, magnitude(x[1])), common);
}

/// Powers of integers. A negative exponent gives the reciprocal, rounded toward zero.
IntegerResult power(Ints x, DType common) {
  const Int base = x[0];
  const Int exponent = x[1];
  if (exponent < 0) {
    if (base == 0) return kOpen;
    if (base == 1) return Int{1};
    return Int{base != -1 ? 0 : exponent % 2 == 0 ? 1 : -1};
  }
  if (is_bool(common)) return Int{base != 0 || exponent == 0 ? 1 : 0};
  Fmpz modulus, result(base), times_itself(exponent);
  fmpz_one(modulus.get());
  fmpz_mul_2exp(modulus.get(), modulus.get(), static_cast<ulong>(bits_of(common)));
  fmpz_powm(result.get(), result.get(), times_itself.get(), modulus.get());
  return result.value();
}

/// Computes x * 2^n, and its floor for n < 0. A shift by a negative number has no meaning, and is
/// open.
IntegerResult left_shift(Ints x, DType common) {
  if (x[1] < 0) return kOpen;
  return x[1] >= bits_of(common) ? Int{0} : times(x[0], Int{1} << static_cast<int>(x[1]));
}
IntegerResult right_shift(Ints x, DType common) {
  if (x[1] < 0) return kOpen;
  if (x[1] >= bits_of(common)) return Int{x[0] < 0 ? -1 : 0};
  return floor_quotient(x[0], Int{1} << static_cast<int>(x[1]));
}

Int exact_integer(const Number& number) {
  return number.visit([](auto value) -> Int {
    if constexpr (kIsComplex<decltype(value)>)
      return static_cast<Int>(value.re);
    else
      return static_cast<Int>(value);
  });
}

/// An attribute's number, converted to the common dtype as c10::Scalar does: a negative number
/// wraps.
template <const char* const& Name, int Otherwise>
std::vector<Int> converted(const Call& call, DType common) {
  return {wrap(exact_integer(call.number(Name, Otherwise)), common)};
}
constexpr const char* kAlphaName = "alpha";
constexpr const char* kValueName = "value";
constexpr const char* kThresholdName = "threshold";

std::vector<Int> threshold_parameters(const Call& call, DType common) {
  return {wrap(exact_integer(call.number("threshold", 0)), common),
          wrap(exact_integer(call.number("value", 0)), common)};
}

/// Whether a division floors its quotient, and does not truncate it.
std::vector<Int> floors(const Call& call, DType) {
  return {call.argument("rounding_mode").text == "floor" ? 1 : 0};
}

/// The bound that stands for none. It is beyond the range of every dtype, so it changes nothing.
constexpr Int kFar = Int{1} << 100;
Int bound(const Call& call, std::string_view name, Int otherwise) {
  const Argument& argument = call.argument(name);
  return argument.tag == Argument::Tag::kNumber ? exact_integer(argument.number) : otherwise;
}
std::vector<Int> hardtanh_bounds(const Call& call, DType) {
  return {bound(call, "min_val", -1), bound(call, "max_val", 1)};
}
/// The bounds of clamp as attributes, and for each whether it is given. Bounds that are tensors are
/// operands.
std::vector<Int> clamp_bounds(const Call& call, DType) {
  return {bound(call, "min", -kFar), bound(call, "max", kFar),
          call.argument("min").tag == Argument::Tag::kAbsent ? 0 : 1,
          call.argument("max").tag == Argument::Tag::kAbsent ? 0 : 1};
}
IntegerResult clamp(Ints x, DType) {
  // If the bounds are tensors, x holds self, min and max before the attributes.
  const Ints attributes = x.last(4);
  const bool tensors = x.size() == 7;
  const Int low = !tensors ? attributes[0] : attributes[2] != 0 ? x[1] : -kFar;
  const Int high = !tensors ? attributes[1] : attributes[3] != 0 ? x[2] : kFar;
  return std::min(std::max(x[0], low), high);
}
template <bool Lower>
IntegerResult clamp_side(Ints x, DType) {
  const Int limit = x.size() == 6 ? x[1] : x.last(4)[Lower ? 0 : 1];
  return Lower ? std::max(x[0], limit) : std::min(x[0], limit);
}

template <auto F>
constexpr IntegerDefinition row(std::string_view op, std::string_view source,
                                IntegerAttributes attributes = nullptr) {
  return {op, source, [](Ints x, DType) -> IntegerResult { return F(x); }, attributes};
}
template <auto F>
constexpr IntegerDefinition dividing(std::string_view op, IntegerAttributes attributes = nullptr) {
  return {op, kQuotient,
          [](Ints x, DType) -> IntegerResult {
            return x[1] == 0 ? IntegerResult(kZeroDivision) : IntegerResult(F(x));
          },
          attributes};
}

constexpr auto kSelf = [](Ints x) { return x[0]; };
constexpr auto kFalse = [](Ints) { return Int{0}; };
constexpr auto kTrue = [](Ints) { return Int{1}; };
constexpr auto kLarger = [](Ints x) { return std::max(x[0], x[1]); };
constexpr auto kSmaller = [](Ints x) { return std::min(x[0], x[1]); };
constexpr auto kDifference = [](Ints x) { return plus(x[0], -times(x[1], x[2])); };

constexpr IntegerDefinition kRows[] = {
    row<[](Ints x) { return plus(x[0], times(x[1], x[2])); }>("add", kModulo,
                                                              converted<kAlphaName, 1>),
    row<kDifference>("sub", kModulo, converted<kAlphaName, 1>),
    row<kDifference>("rsub", kModulo, converted<kAlphaName, 1>),
    row<[](Ints x) { return times(x[0], x[1]); }>("mul", kModulo),
    row<[](Ints x) { return plus(x[0], times(times(x[3], x[1]), x[2])); }>(
        "addcmul", kModulo, converted<kValueName, 1>),
    row<[](Ints x) { return -x[0]; }>("neg", kModulo),
    row<[](Ints x) { return magnitude(x[0]); }>("abs", kModulo),
    row<[](Ints x) { return times(x[0], x[0]); }>("square", kModulo),
    dividing<[](Ints x) { return x[2] != 0 ? floor_quotient(x[0], x[1]) : x[0] / x[1]; }>("div",
                                                                                          floors),
    dividing<[](Ints x) { return floor_quotient(x[0], x[1]); }>("floor_divide"),
    dividing<[](Ints x) { return x[0] - floor_quotient(x[0], x[1]) * x[1]; }>("remainder"),
    dividing<[](Ints x) { return x[0] % x[1]; }>("fmod"),
    {"pow", "exact, modulo 2^bits; a negative exponent: the reciprocal toward zero", power},
    {"gcd", "FLINT's; not defined where it does not fit", gcd},
    {"lcm", "FLINT's gcd; not defined where it does not fit", lcm},
    row<[](Ints x) { return sign(x[0]); }>("sign", kOrder),
    row<[](Ints x) { return sign(x[0]); }>("sgn", kOrder),
    row<kLarger>("maximum", kOrder),
    row<kSmaller>("minimum", kOrder),
    row<kLarger>("fmax", kOrder),
    row<kSmaller>("fmin", kOrder),
    {"clamp", "torch.clamp: min(max(x, min), max)", clamp, clamp_bounds},
    {"clamp_min", "torch.clamp: max(x, min)", clamp_side<true>, clamp_bounds},
    {"clamp_max", "torch.clamp: min(x, max)", clamp_side<false>, clamp_bounds},
    row<[](Ints x) { return std::max(x[0], Int{0}); }>("relu", kOrder),
    row<[](Ints x) { return std::min(std::max(x[0], Int{0}), Int{6}); }>("relu6", kOrder),
    row<[](Ints x) { return std::min(std::max(x[0], x[1]), x[2]); }>(
        "hardtanh", "torch.nn.functional.hardtanh: max_val above, min_val below", hardtanh_bounds),
    row<[](Ints x) { return x[0] <= x[1] ? x[2] : x[0]; }>(
        "threshold", "torch.nn.Threshold: value where x <= threshold", threshold_parameters),
    row<[](Ints x) { return x[0] <= x[2] ? Int{0} : x[1]; }>(
        "threshold_backward", "the derivative of torch.nn.Threshold", converted<kThresholdName, 0>),
    row<[](Ints x) { return x[0] == 0         ? x[1]
                            : sign(x[0]) == 1 ? Int{1}
                                              : Int{0}; }>(
        "heaviside", "torch.heaviside: 0 below 0, values at 0, 1 above"),
    row<[](Ints x) { return Int{x[0] == x[1]}; }>("eq", kOrder),
    row<[](Ints x) { return Int{x[0] != x[1]}; }>("ne", kOrder),
    row<[](Ints x) { return Int{(x[0] < x[1])}; }>("lt", kOrder),
    row<[](Ints x) { return Int{x[0] <= x[1]}; }>("le", kOrder),
    row<[](Ints x) { return Int{(x[0] > x[1])}; }>("gt", kOrder),
    row<[](Ints x) { return Int{(x[0] >= x[1])}; }>("ge", kOrder),
    row<[](Ints x) { return Int{x[0] != 0 && x[1] != 0}; }>("logical_and", kTruthValue),
    row<[](Ints x) { return Int{x[0] != 0 || x[1] != 0}; }>("logical_or", kTruthValue),
    row<[](Ints x) { return Int{(x[0] != 0) != (x[1] != 0)}; }>("logical_xor", kTruthValue),
    row<[](Ints x) { return Int{x[0] == 0}; }>("logical_not", kTruthValue),
    row<[](Ints x) { return x[0] & x[1]; }>("bitwise_and", kBits),
    row<[](Ints x) { return x[0] | x[1]; }>("bitwise_or", kBits),
    row<[](Ints x) { return x[0] ^ x[1]; }>("bitwise_xor", kBits),
    {"bitwise_not", kBits,
     [](Ints x, DType common) -> IntegerResult { return is_bool(common) ? 1 - x[0] : -1 - x[0]; }},
    {"bitwise_left_shift", "x * 2^n modulo 2^bits; not defined for a negative n", left_shift},
    {"bitwise_right_shift", "the floor of x / 2^n; not defined for a negative n", right_shift},
    row<kFalse>("isnan", kFinite),
    row<kFalse>("isinf", kFinite),
    row<kTrue>("isfinite", kFinite),
    row<kTrue>("isreal", kFinite),
    row<kFalse>("isposinf", kFinite),
    row<kFalse>("isneginf", kFinite),
    row<[](Ints x) { return Int{x[0] < 0}; }>("signbit", kOrder),
    row<kSelf>("ceil", kWhole),
    row<kSelf>("floor", kWhole),
    row<kSelf>("round", kWhole),
    row<kSelf>("trunc", kWhole),
    row<kSelf>("nan_to_num", kFinite),
    row<kSelf>("conj_physical", kFinite),
    row<kSelf>("_conj_physical", kFinite),
    row<kSelf>("clone", "the element itself"),
    row<kSelf>("copy", "the element, converted once: docs/numerics.md, Conversions"),
    row<[](Ints x) { return x[0] != 0 ? x[1] : x[2]; }>("where", "torch.where"),
    row<[](Ints x) { return x[1] != 0 ? x[2] : x[0]; }>("masked_fill", "torch.Tensor.masked_fill"),
};

}  // namespace

std::span<const IntegerDefinition> integer_definitions() { return kRows; }

const IntegerDefinition* find_integer_definition(std::string_view op) {
  const auto found = std::find_if(std::begin(kRows), std::end(kRows),
                                  [op](const IntegerDefinition& row) { return row.op == op; });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace upcast::truth
