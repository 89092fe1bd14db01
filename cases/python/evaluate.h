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

/// A function that computes a case, and gives its result as an operand. It throws UsageError if the
/// case is refused.
using Compute = std::function<Operand(const Case&)>;

/// What applies to every call in a program: default dtypes, device, and how inner calls are
/// computed.
struct Setting {
  Defaults defaults{};
  Device device = Device::kCpu;
  const Compute* compute = nullptr;
};

using Meaning = std::variant<Value, Case>;

class Evaluator {
 public:
  explicit Evaluator(const Setting& setting) : setting_(setting) {}

  /// Gives a variable its value. `used`: how often the program reads the variable. If a tensor is
  /// read more than once, its values are written out, so that every use has the same values.
  void bind(const std::string& variable, Value value, int used);
  bool is_bound(const std::string& variable) const { return variables_.contains(variable); }

  /// Evaluates an expression to a value. A call in it is computed.
  Value value(const Expression& expression);
  /// Evaluates the expression that the question asks about. Calls inside it are computed; its
  /// outermost call becomes a case.
  Meaning meaning(const Expression& expression);
  /// Evaluates the statement "target += value", or one with another operator.
  Meaning in_place(const Statement& statement);
  /// Computes a case, and gives its answer as an operand. Adds a sentence about the answer to
  /// notes().
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
  /// The dotted name that an expression is, such as torch.add. "" if it is something else, or
  /// begins with a variable.
  std::string dotted_name(const Expression& expression) const;
  void note(std::string sentence);

  Setting setting_;
  std::map<std::string, Value> variables_;
  std::vector<std::string> notes_;
};

}  // namespace upcast::python
