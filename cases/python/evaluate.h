// Evaluates an expression of Python: it is a value, or a call that is a case.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "cases/python/expression.h"
#include "cases/python/value.h"

namespace upcast::python {

/// Computes a case, and gives its result as an operand. Throws UsageError if the case refuses.
using Compute = std::function<Operand(const Case&)>;

/// The settings of each case, and notes about the calls inside the question.
struct Setting {
  Defaults defaults{};
  Device device = Device::kCpu;
  const Compute* compute = nullptr;
};

using Meaning = std::variant<Value, Case>;

class Evaluator {
 public:
  explicit Evaluator(const Setting& setting) : setting_(setting) {}

  /// Gives a variable its value. `used`: how often the program reads it. If a tensor is read twice
  /// its values are written out, so that they are the same in each place.
  void bind(const std::string& variable, Value value, int used);
  bool is_bound(const std::string& variable) const { return variables_.contains(variable); }

  /// Evaluates an expression as an operand. A call in it is computed.
  Value value(const Expression& expression);
  /// Evaluates the expression that is the question. Its outermost call is not computed.
  Meaning meaning(const Expression& expression);
  /// target += value.
  Meaning in_place(const Statement& statement);
  /// Computes a case, and gives its answer as an operand. A sentence about it goes to notes().
  Value computed(const Case& c, std::size_t position);

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Meaning name(const Expression& expression);
  Meaning attribute(const Expression& expression);
  Meaning call(const Expression& expression);
  Meaning function(const std::string& dotted, const Expression& call);
  Meaning method(const Expression& call);
  Meaning unary(const Expression& expression);
  Meaning binary(const Expression& expression);
  Meaning convert(Value self, DType dtype, const Expression& call);
  Value sequence(const Expression& expression);
  std::vector<GivenValue> arguments(const Expression& call);
  Meaning apply(const std::string& name, std::size_t position, std::size_t end,
                const std::vector<GivenValue>& arguments);
  /// The dotted name of an expression; "" if it is none, or begins with a variable.
  std::string dotted_name(const Expression& expression) const;
  void note(std::string sentence);

  Setting setting_;
  std::map<std::string, Value> variables_;
  std::vector<std::string> notes_;
};

}  // namespace upcast::python
