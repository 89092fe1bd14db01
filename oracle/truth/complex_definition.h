// The meaning of each op over complex numbers: one row for each op. Each part of a result is
// rounded once.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "impl/core/complex.h"
#include "oracle/truth/complex_ball.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {

using ComplexDouble = Complex<double>;

/// A value that is known without a formula, part by part.
struct ComplexKnown {
  Known re{0.0}, im{0.0};
};
using ComplexSpecial = std::optional<ComplexKnown> (*)(std::span<const ComplexDouble> x);
using ComplexFunction = ComplexBall (*)(std::span<const ComplexBall> x);
using ComplexSteps = Pair<double> (*)(std::span<const ComplexDouble> x, DType compute);
using ComplexAttributes = std::vector<ComplexDouble> (*)(const Call& call, DType common);

/// Which zero is right for a part that is 0.
enum class Zeros : std::uint8_t {
  /// The zero that the limit gives. A zero in the argument stands for a tiny number of its sign. So
  /// it chooses the side of a branch cut as C Annex G does, and conj(f(z)) is f(conj(z)).
  kLimit,
  kCut,  // at a branch cut as kLimit; elsewhere either zero is right
  kAny   // either zero is right: no document says in which order to add and multiply
};

struct ComplexDefinition {
  std::string_view op;
  std::string_view source;  // the document that defines the special values
  ComplexSpecial special = nullptr;
  ComplexFunction ball = nullptr;  // the formula; null: all values come from `special`
  Zeros zeros = Zeros::kLimit;
  ComplexSteps steps = nullptr;  // Definition::steps, for each part
  ComplexAttributes attributes = nullptr;
  /// The op whose row gives the value, if the op is a real function of both parts of its only
  /// operand: hypot for abs.
  std::string_view real_function = "";
};

std::span<const ComplexDefinition> complex_arithmetic_definitions();
std::span<const ComplexDefinition> complex_function_definitions();

/// Finds the row of an op over complex numbers; null if there is none.
const ComplexDefinition* find_complex_definition(std::string_view op);

/// Evaluates one definition for parts of one dtype.
class ComplexEvaluator {
 public:
  /// `part`: the real dtype of each part of the result, or bool for a bool result.
  /// `memo` remembers values; null: nothing does.
  ComplexEvaluator(const ComplexDefinition& definition, DType part, DType compute,
                   Memo<std::pair<Value, Value>>* memo = nullptr);
  /// The right values of both parts. A result that is not complex is the first part.
  std::pair<Value, Value> operator()(std::span<const ComplexDouble> x);

 private:
  std::pair<Value, Value> exact_value(std::span<const ComplexDouble> x) const;
  std::pair<Value, Value> value_of_balls(std::span<const ComplexDouble> x) const;
  void set_leeway(std::span<const ComplexDouble> x, Value& re, Value& im) const;

  const ComplexDefinition& definition_;
  DType part_, compute_;
  Memo<std::pair<Value, Value>>* memo_;
  std::optional<Evaluator> real_;
};

}  // namespace upcast::truth
