// Computes the value of one element: correctly rounded, and as exactly as it is known.
#pragma once

#include "oracle/truth/definition.h"
#include "oracle/truth/memo.h"
#include "oracle/truth/rounding.h"

namespace upcast::truth {

/// Why the truth does not decide an element.
enum class Gap : std::uint8_t {
  kNone,
  kUndocumented,  // no document defines the value
  kNotFinite,     // a complex function, for which C defines no value if an argument is not finite
  kOverflow,      // steps may overflow, or exactly one part of a complex number does
  kPrecision      // even at the last precision the bounds round to different values
};

/// The exact value of an element, or of one part of a complex one. For an integer, high + low is
/// exact.
struct Value {
  double rounded = 0;  // the exact value, rounded once to the dtype
  double high = 0;     // high + low is the exact value to within 2^-60, or to the filter's bound
  double low = 0;      // what `high` lacks of the exact value
  double leeway = 0;   // how much farther an implementation may be off that rounds each step
  bool decided = true;
  Gap gap = Gap::kNone;  // why the element is not decided
};

/// How many values each step of the evaluation decided. A remembered value counts for no step.
struct Decided {
  std::int64_t special = 0, filter = 0, ball = 0, mpfr = 0, undecided = 0;
};

/// The value of a ball, if its bounds round to one value; nothing otherwise. `zero`: what a value
/// rounds to that is too small, whatever its sign; NaN: the sign must be known. At the last
/// precision, a ball that holds a number of few digits is taken for that number, as for exp2(3) or
/// a tie.
std::optional<Value> round_ball(const Ball& ball, DType dtype, double zero, bool is_last);

/// Rounds a value that is known without a ball or a filter.
Value round_known(DType dtype, Known known);

/// Sets the leeway of a value. An implementation's steps in `compute` end within `error` of the
/// exact value, and the result is then rounded to the dtype.
void set_leeway(DType dtype, DType compute, double error, Value& value);

/// Adds the leeway that comes from rounding to the compute dtype first. An operand that was not
/// rounded to the dtype may lead to the middle between two values of the dtype.
void allow_two_roundings(DType dtype, DType compute, Value& value);

inline constexpr slong kFirstPrecision = 96;  // in bits: enough for nearly every float64
// In bits: a sum of float64 of any size has 2100 bits.
inline constexpr slong kLastPrecision = 3072;

/// Evaluates one definition for one result dtype (real and floating, or bool).
class Evaluator {
 public:
  /// `memo` remembers what neither a special value nor the filter decides; null: nothing does.
  Evaluator(const Definition& definition, DType dtype, Memo<Value>* memo = nullptr);
  /// Computes the value of one element. `x` holds the operands, then the attributes, all exact.
  Value operator()(std::span<const double> x);
  const Decided& decided() const { return decided_; }

 private:
  Value exact_value(std::span<const double> x);
  Value slow_value(std::span<const double> x, bool has_ball, bool has_mpfr);
  Value known(Known value) const { return round_known(dtype_, value); }
  std::optional<Value> by_filter(std::span<const double> x) const;
  std::optional<Value> beyond_range(std::span<const double> x, double near) const;
  std::optional<Value> by_ball(std::span<const double> x, slong precision) const;
  Value by_mpfr(std::span<const double> x) const;
  double zero_of(std::span<const double> x) const;

  const Definition& definition_;
  DType dtype_;
  Memo<Value>* memo_;
  const SafeRounding& safe_;
  Decided decided_;
};

}  // namespace upcast::truth
