// The meaning of each op as mathematics: one row for each op.
#pragma once

#include <mpfr.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "impl/ops/call.h"
#include "oracle/truth/ball.h"

namespace upcast::truth {

using MpfrUnary = int (*)(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding);
using MpfrBinary = int (*)(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding);
/// Computes the value of an op as a ball. Its arguments are the operands in the order of the op's
/// spec, then the attributes, all exact.
using BallFunction = Ball (*)(std::span<const Ball> x);
using DoubleFunction = double (*)(std::span<const double> x);

/// How much of a known value no document defines.
enum class Doubt : std::uint8_t {
  kNone,
  kSignOfZero,  // either zero is right
  kEverything   // the whole value: the element is not judged
};

/// A value that is known without a formula: exactly value + low. Like all values it is rounded
/// once.
struct Known {
  double value = 0;
  double low = 0;
  Doubt doubt = Doubt::kNone;

  constexpr Known(double exact) : value(exact) {}
  constexpr Known(double high, double rest) : value(high), low(rest) {}
  constexpr Known(double exact, Doubt left) : value(exact), doubt(left) {}
};
constexpr Known zero_of_any_sign() { return {0.0, Doubt::kSignOfZero}; }
constexpr Known undocumented() { return {0.0, Doubt::kEverything}; }

/// Gives the values that the formula does not give, and those that are one of the operands. Nothing
/// for all other arguments.
using SpecialFunction = std::optional<Known> (*)(std::span<const double> x);
/// Tells how far an implementation that rounds each step in `compute` may end from the exact value,
/// before its last rounding. Infinite: a step may overflow.
using StepsFunction = double (*)(std::span<const double> x, DType compute);
/// Gives the second result of an op, an integer.
using SecondFunction = int (*)(std::span<const double> x);
/// The attributes of a call, as the op holds them for a common dtype.
using AttributesFunction = std::vector<double> (*)(const Call& call, DType common);

/// How the value of an op over real floating dtypes is found. Four ways are tried in turn: special
/// values, the filter (`near`), the ball, MPFR.
struct Definition {
  std::string_view op;      // the op's name in the catalogue
  std::string_view source;  // the document that defines the special values
  SpecialFunction special = nullptr;
  /// The filter, a function in float64. Its result lies within kNearMargin * near_ulp ulp of
  /// float64 of the value, wherever the result is finite and not 0.
  DoubleFunction near = nullptr;
  double near_ulp = 0;  // the largest known error of the filter, in ulp
  /// Gives exactly what the filter's rounding lost of the value; NaN if that is not known.
  DoubleFunction rest = nullptr;
  BallFunction ball = nullptr;
  /// MPFR's function. It rounds correctly, also where the result is exact, and follows C Annex F
  /// for special values.
  MpfrUnary mpfr_unary = nullptr;
  MpfrBinary mpfr_binary = nullptr;
  /// The formula in float64. It serves for arguments that are not finite, and for the signs of
  /// zeros.
  DoubleFunction ieee = nullptr;
  AttributesFunction attributes = nullptr;
  /// What the steps of a formula with several steps may lose. Null for other formulas, whose error
  /// is within the bounds of the op's accuracy.
  StepsFunction steps = nullptr;
  SecondFunction second = nullptr;
  bool either_zero = false;  // no document says which sign a zero has
  // Number of the operand that is a degree or an order, for which small numbers suffice in tests;
  // -1: none.
  int order = -1;
};

/// The filter's bound is its largest known error times this. For glibc's functions the known errors
/// are the largest that its own tests found (sysdeps/x86_64/fpu/libm-test-ulps, printed in its
/// manual, "Known Maximum Errors in Math Functions"). They are no proof, so a test compares the
/// functions with Arb and MPFR.
inline constexpr double kNearMargin = 8;
/// The largest error of a filter that is a formula in float64, in ulp: at most four roundings and
/// an exp.
inline constexpr double kNearFormulaUlp = 4;

/// A number rounded to the compute dtype of `common`. Functors hold parameters in it that they
/// compute with.
double in_compute_dtype(const Number& number, DType common);

/// A number rounded to `common`. Functors hold parameters in it that elements are compared with or
/// replaced by.
double in_common_dtype(const Number& number, DType common);

/// Finds the definition of an op by the op's name; null if there is none.
const Definition* find_definition(std::string_view op);

/// Every row.
std::vector<const Definition*> all_definitions();

/// The definitions of each family of ops.
std::span<const Definition> elementary_definitions();
std::span<const Definition> arithmetic_definitions();
std::span<const Definition> special_definitions();
std::span<const Definition> activation_definitions();
std::span<const Definition> activation_backward_definitions();
std::span<const Definition> selection_definitions();
std::span<const Definition> rounding_definitions();
std::span<const Definition> interpolation_definitions();
std::span<const Definition> polynomial_definitions();

/// Makes a row from one formula, which serves both for balls and for float64.
template <class F>
constexpr Definition formula(std::string_view op, std::string_view source, F,
                             SpecialFunction special = nullptr,
                             AttributesFunction attributes = nullptr) {
  Definition row{.op = op, .source = source, .special = special};
  row.ball = [](std::span<const Ball> x) -> Ball { return F{}(x); };
  row.ieee = [](std::span<const double> x) -> double { return F{}(x); };
  row.attributes = attributes;
  return row;
}

/// Makes a row from a formula that does not cancel, so that its result in float64 serves as the
/// filter.
template <class F>
constexpr Definition near_formula(std::string_view op, std::string_view source, F f,
                                  SpecialFunction special = nullptr,
                                  AttributesFunction attributes = nullptr) {
  Definition row = formula(op, source, f, special, attributes);
  row.near = row.ieee;
  row.near_ulp = kNearFormulaUlp;
  return row;
}

}  // namespace upcast::truth
