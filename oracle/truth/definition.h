// The meaning of each op as mathematics, a row for each op.
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
/// Computes the value of an op as a ball. Arguments: the operands in the order of the op's spec,
/// then its attributes. All are exact.
using BallFunction = Ball (*)(std::span<const Ball> x);
using DoubleFunction = double (*)(std::span<const double> x);

/// How much of a known value is not documented.
enum class Doubt : std::uint8_t {
  kNone,
  kSignOfZero,  // either zero is right
  kEverything   // no document defines the value: the element is not judged
};

/// A value that is known without a formula: exactly value + low. It is rounded once, as all values
/// are.
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

/// Gives values that the formula does not give, or that are one of the operands; nothing elsewhere.
using SpecialFunction = std::optional<Known> (*)(std::span<const double> x);
/// Gives how far steps that are rounded one by one in `compute` may lead from the exact value,
/// before the last rounding. Infinite: one may overflow.
using StepsFunction = double (*)(std::span<const double> x, DType compute);
/// Gives the second result, an integer.
using SecondFunction = int (*)(std::span<const double> x);
/// The attributes of a call, as the op holds them for a common dtype.
using AttributesFunction = std::vector<double> (*)(const Call& call, DType common);

/// How the value of an op over real floating dtypes is found. Special values come first, then the
/// filter, then the ball, then MPFR.
struct Definition {
  std::string_view op;      // its name in the catalogue
  std::string_view source;  // the source of the special values
  SpecialFunction special = nullptr;
  /// The filter: within kNearMargin * near_ulp ulp of float64 of the value, wherever it is finite
  /// and not 0.
  DoubleFunction near = nullptr;
  double near_ulp = 0;  // the largest error known
  /// Exactly what `near` lost of the value; NaN where that is not known.
  DoubleFunction rest = nullptr;
  BallFunction ball = nullptr;
  /// MPFR rounds correctly, exact results too, and follows C Annex F for special values.
  MpfrUnary mpfr_unary = nullptr;
  MpfrBinary mpfr_binary = nullptr;
  /// The formula in float64, for arguments that are not finite, and for the signs of zeros.
  DoubleFunction ieee = nullptr;
  AttributesFunction attributes = nullptr;
  /// Set for a formula of several steps. For other formulas the bounds of the op's row cover all of
  /// the error.
  StepsFunction steps = nullptr;
  SecondFunction second = nullptr;
  bool either_zero = false;  // nothing says which sign a zero has
  int order = -1;  // the operand that is a degree or an order: small numbers test it fully
};

/// The filter's bound is its largest known error times this. glibc's maxima are those that its own
/// tests found (sysdeps/x86_64/fpu/libm-test-ulps, printed in its manual, "Known Maximum Errors in
/// Math Functions"). They are no proof, so a test compares them with Arb and MPFR.
inline constexpr double kNearMargin = 8;
/// The error of formulas in float64, in ulp: at most four roundings and an exp.
inline constexpr double kNearFormulaUlp = 4;

/// A number in the compute dtype of `common`, in which functors hold parameters that they compute
/// with.
double in_compute_dtype(const Number& number, DType common);

/// A parameter rounded once to `common`, in which functors hold parameters that elements are
/// compared with or replaced by.
double in_common_dtype(const Number& number, DType common);

/// Finds the definition of an op by its name; null if it has none.
const Definition* find_definition(std::string_view op);

/// Every row.
std::vector<const Definition*> all_definitions();

/// Rows by family.
std::span<const Definition> elementary_definitions();
std::span<const Definition> arithmetic_definitions();
std::span<const Definition> special_definitions();
std::span<const Definition> activation_definitions();
std::span<const Definition> activation_backward_definitions();
std::span<const Definition> selection_definitions();
std::span<const Definition> rounding_definitions();
std::span<const Definition> interpolation_definitions();
std::span<const Definition> polynomial_definitions();

/// A row whose formula is written once, for balls and for float64.
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

/// A row whose formula does not cancel, so that float64 serves as its filter.
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
