// What an op means over complex numbers: one row an op. Each part is rounded once.
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

/// Which zero a part is.
enum class Zeros : std::uint8_t {
  /// That of the limit: a zero in the argument stands for a tiny number of its sign, so that it
  /// chooses the side of a branch cut as C Annex G does, and conj(f(z)) is f(conj(z)).
  kLimit,
  kCut,  // as kLimit next to a branch cut, but a part that is 0 has either sign
  kAny   // either: implementations add and multiply in an order that nothing prescribes
};

struct ComplexDefinition {
  std::string_view op;
  std::string_view source;  // of the special values
  ComplexSpecial special = nullptr;
  ComplexFunction ball = nullptr;  // null: every value is special
  Zeros zeros = Zeros::kLimit;
  ComplexSteps steps = nullptr;  // as Definition::steps, for each part
  ComplexAttributes attributes = nullptr;
  /// A real function of the parts of the only operand, in a row of its own: hypot for abs.
  std::string_view real_function = "";
};

std::span<const ComplexDefinition> complex_arithmetic_definitions();
std::span<const ComplexDefinition> complex_function_definitions();

/// Null where the op has no row.
const ComplexDefinition* find_complex_definition(std::string_view op);

/// Evaluates one definition for parts of one dtype.
class ComplexEvaluator {
 public:
  /// `part`: the real dtype of each part of the result, or bool.
  ComplexEvaluator(const ComplexDefinition& definition, DType part, DType compute);
  /// Both parts; a result that is not complex is the first one.
  std::pair<Value, Value> operator()(std::span<const ComplexDouble> x);

 private:
  std::pair<Value, Value> exact_value(std::span<const ComplexDouble> x) const;
  void set_leeway(std::span<const ComplexDouble> x, Value& re, Value& im) const;

  const ComplexDefinition& definition_;
  DType part_, compute_;
  std::optional<Evaluator> real_;
};

}  // namespace upcast::truth
