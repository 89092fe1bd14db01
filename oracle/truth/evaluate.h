// Computes the value of one element: correctly rounded, and as exactly as it is known.
#pragma once

#include "oracle/truth/definition.h"
#include "oracle/truth/rounding.h"

namespace upcast::truth {

/// Why an element is left open.
enum class Gap : std::uint8_t {
  kNone,
  kUndocumented,  // no document defines the value
  kNotFinite,  // of complex numbers: C says nothing of the function where an argument is not finite
  kOverflow,   // steps may overflow, or one part of a complex number does
  kPrecision   // no precision up to the limit tells how it rounds
};

/// The exact value of an element that is not complex. For an integer, high + low is exact.
struct Value {
  double rounded = 0;  // the exact value, rounded once to the dtype
  double high =
      0;  // the exact value is high + low: to the filter's bound where that decided, else to
  double low = 0;     // 2^-60 or better
  double leeway = 0;  // further error allowed to an implementation that rounds each step
  bool decided = true;
  Gap gap = Gap::kNone;  // why it is not decided
};

/// How many values each step of the evaluation decided.
struct Decided {
  std::int64_t special = 0, filter = 0, ball = 0, mpfr = 0, undecided = 0;
};

/// The value of a ball, if its bounds tell how it rounds. `zero`: the value of what is too small,
/// on either side; NaN: its sign has to be known too. At the last precision, a ball that holds a
/// number of few digits is taken for that number: exp2(3), a tie.
std::optional<Value> round_ball(const Ball& ball, DType dtype, double zero, bool is_last);

/// Rounds a value that is known without a ball.
Value round_known(DType dtype, Known known);

/// Sets the leeway. Steps in `compute` whose results lie within `error` of the exact value answer
/// something in that interval, rounded to the dtype.
void set_leeway(DType dtype, DType compute, double error, Value& value);

/// Adds the leeway of a value that is rounded to the compute dtype first. An operand that was not
/// rounded to the dtype may lead to the middle between two values of it.
void allow_two_roundings(DType dtype, DType compute, Value& value);

inline constexpr slong kFirstPrecision = 96;   // decides nearly every float64
inline constexpr slong kLastPrecision = 3072;  // sums of float64 of every size have 2100 bits

/// Evaluates one definition for one result dtype (real and floating, or bool).
class Evaluator {
 public:
  Evaluator(const Definition& definition, DType dtype);
  /// Computes the value. `x` holds operands, then attributes; all are exact.
  Value operator()(std::span<const double> x);
  const Decided& decided() const { return decided_; }

 private:
  Value exact_value(std::span<const double> x);
  Value known(Known value) const { return round_known(dtype_, value); }
  std::optional<Value> by_filter(std::span<const double> x) const;
  std::optional<Value> beyond_range(std::span<const double> x, double near) const;
  std::optional<Value> by_ball(std::span<const double> x, slong precision) const;
  Value by_mpfr(std::span<const double> x) const;
  double zero_of(std::span<const double> x) const;

  const Definition& definition_;
  DType dtype_;
  const SafeRounding& safe_;
  Decided decided_;
};

}  // namespace upcast::truth
