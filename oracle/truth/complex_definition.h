// The meaning of each op over complex numbers, a row for each op. Each part is rounded once.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "impl/core/complex.h"
#include "oracle/truth/complex_ball.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {

using ComplexDouble = Complex<double>;

/// A value that is known without a formula.
struct ComplexKnown {
  Known re{0.0}, im{0.0};
};
using ComplexSpecial = std::optional<ComplexKnown> (*)(std::span<const ComplexDouble> x);
using ComplexFunction = ComplexBall (*)(std::span<const ComplexBall> x);
using ComplexSteps = Pair<double> (*)(std::span<const ComplexDouble> x, DType compute);
using ComplexAttributes = std::vector<ComplexDouble> (*)(const Call& call, DType common);

/// Which zero is right for a part that is 0.
enum class Zeros : std::uint8_t {
  /// The zero of the limit. A zero in the argument stands for a tiny number of its sign. So it
  /// chooses the side of a branch cut as C Annex G does, and conj(f(z)) is f(conj(z)).
  kLimit,
  kCut,  // as kLimit next to a branch cut, but a part that is 0 has either sign
  kAny   // either: nothing prescribes the order in which implementations add and multiply
};

struct ComplexDefinition {
  std::string_view op;
  std::string_view source;  // the source of the special values
  ComplexSpecial special = nullptr;
  ComplexFunction ball = nullptr;  // null: every value is special
  Zeros zeros = Zeros::kLimit;
  ComplexSteps steps = nullptr;  // as Definition::steps, for each part
  ComplexAttributes attributes = nullptr;
  /// For a real function of the parts of the only operand, the op whose row it is: hypot for abs.
  std::string_view real_function = "";
};

std::span<const ComplexDefinition> complex_arithmetic_definitions();
std::span<const ComplexDefinition> complex_function_definitions();

/// Finds the row of an op; null if it has none.
const ComplexDefinition* find_complex_definition(std::string_view op);

/// Evaluates one definition for parts of one dtype.
class ComplexEvaluator {
 public:
  /// `part`: the real dtype of each part of the result, or bool.
  ComplexEvaluator(const ComplexDefinition& definition, DType part, DType compute);
  /// Gives both parts. A result that is not complex is the first part.
  std::pair<Value, Value> operator()(std::span<const ComplexDouble> x);

 private:
  std::pair<Value, Value> exact_value(std::span<const ComplexDouble> x) const;
  void set_leeway(std::span<const ComplexDouble> x, Value& re, Value& im) const;

  const ComplexDefinition& definition_;
  DType part_, compute_;
  std::optional<Evaluator> real_;
};

}  // namespace upcast::truth
