#include "cases/python/question.h"

#include <map>
#include <set>

#include "cases/notation.h"
#include "cases/python/names.h"
#include "cases/python/written_call.h"

namespace upcast {
namespace python {
namespace {

using Kind = Expression::Kind;

/// The variables of a program and their values.
class Names {
 public:
  explicit Names(const Program& program) {
    for (const Argument& given : program.given) {
      assigned_.insert(given.keyword);
      look_at(given.value);
    }
    for (const Statement& statement : program.statements) {
      if (statement.kind == Statement::Kind::kAssignment)
        assigned_.insert(statement.target.word);
      else
        look_at(statement.target);
      look_at(statement.value);
    }
  }

  int used(const std::string& name) const {
    const auto found = used_.find(name);
    return found == used_.end() ? 0 : found->second.count;
  }

  /// Throws a fault at the first variable without a value. The message suggests a value for each
  /// such variable.
  void check_values() const {
    std::string given;
    std::size_t first = std::string_view::npos;
    std::string name;
    for (const auto& [word, use] : used_) {
      if (assigned_.contains(word) || find_dtype(word) || find_constant(word) ||
          is_callable(catalogue_name(word)))
        continue;
      given += (given.empty() ? "" : ", ") + word + "=float32[3]";
      if (use.position >= first) continue;
      first = use.position;
      name = word;
    }
    if (!given.empty())
      TextCursor::fail_at(
          first, "'" + name + "' has no value; add: with " + given + or_did_you_mean_value(name));
  }

 private:
  struct Use {
    std::size_t position;
    int count = 0;
  };

  void look_at(const Expression& expression) {
    if (expression.kind == Kind::kName && !expression.word.empty()) {
      Use& use = used_.try_emplace(expression.word, Use{expression.position}).first->second;
      ++use.count;
    }
    const Expression* root = &expression;
    while (root->kind == Kind::kAttribute) root = root->parts.data();
    const bool of_module = root->kind == Kind::kName && is_module(root->word);
    if (expression.kind == Kind::kCall && expression.parts[0].kind == Kind::kName) {
      // a function
    } else if (!(expression.kind == Kind::kAttribute && of_module)) {
      for (const Expression& part : expression.parts) look_at(part);
    }
    for (const Argument& argument : expression.arguments)
      if (!is_setting_of_values(argument)) look_at(argument.value);
  }

  std::set<std::string> assigned_;
  std::map<std::string, Use> used_;
};

/// The call in a question about its dtype or shape: add(a, b) in "add(a, b).dtype".
const Expression& asked_call(const Expression& expression) {
  const Expression* asked = &expression;
  while (asked->kind == Kind::kAttribute && (asked->word == "dtype" || asked->word == "shape") &&
         asked->parts[0].kind != Kind::kName)
    asked = asked->parts.data();
  return *asked;
}

/// The position in the text at which an expression begins.
std::size_t start_of(const Expression& expression) {
  const Expression* first = &expression;
  while (first->kind != Kind::kUnary && first->kind != Kind::kSequence && !first->parts.empty())
    first = first->parts.data();
  return first->position;
}

Case as_question(Meaning meaning, std::size_t position) {
  if (Case* const c = std::get_if<Case>(&meaning)) return std::move(*c);
  const Value& value = std::get<Value>(meaning);
  const std::string shown = value.is_sequence ? "a list" : print_operand(value.operand);
  TextCursor::fail_at(position, "this is " + shown +
                                    ", and calls no op; ask about a call or an operator, as in "
                                    "torch.add(int32[3], 5.5) or int32[3] + 5.5");
}

const std::string& target_name(const Statement& statement) {
  if (statement.target.kind != Kind::kName)
    TextCursor::fail_at(statement.target.position,
                        "only a name can be given a value, as in a = int32[3]");
  return statement.target.word;
}

/// Runs the statements of a program. The last one is the question, and becomes a case.
Case run(const Program& program, Evaluator& evaluator) {
  const Names names(program);
  names.check_values();
  for (const Argument& given : program.given)
    evaluator.bind(given.keyword, evaluator.value(given.value), names.used(given.keyword));
  for (const Statement& statement : program.statements) {
    const bool last = &statement == &program.statements.back();
    const std::size_t position = start_of(statement.value);
    if (statement.kind == Statement::Kind::kInPlace) {
      Case c = as_question(evaluator.in_place(statement), position);
      if (last) return c;
      evaluator.bind(target_name(statement), evaluator.computed(c, position), 2);
    } else if (last) {
      return as_question(evaluator.meaning(asked_call(statement.value)), position);
    } else if (statement.kind == Statement::Kind::kAssignment) {
      const std::string& name = target_name(statement);
      evaluator.bind(name, evaluator.value(statement.value), names.used(name));
    } else {
      TextCursor::fail_at(
          position, "only assignments may come before the question, as in a = int32[3]; a + 5.5");
    }
  }
  return {};  // not reached: every program has a last statement
}

}  // namespace
}  // namespace python

namespace {

bool is_python(std::string_view text) {
  const std::string line = python::as_one_line(text);
  TextCursor cursor(line);
  try {
    python::parse_program(cursor);
    return true;
  } catch (const SyntaxFault&) {
    return false;
  }
}

}  // namespace

Question read_python_or_fault(std::string_view text, const python::Compute& compute) {
  const std::string line = python::as_one_line(text);
  TextCursor cursor(line);
  const python::Program program = python::parse_program(cursor);
  Case tail;
  parse_settings(cursor, tail);
  python::Evaluator evaluator({tail.defaults, tail.device, &compute});
  Question question{.c = python::run(program, evaluator), .notes = evaluator.notes()};
  question.c.expectation = std::move(tail.expectation);
  return question;
}

Question read_question(std::string_view text, const python::Compute& compute) {
  SyntaxFault of_notation;
  try {
    return {.c = parse_case_or_fault(text), .notes = {}};
  } catch (SyntaxFault& fault) {
    of_notation = std::move(fault);
  }
  try {
    return read_python_or_fault(text, compute);
  } catch (const SyntaxFault& fault) {
    // A text may be neither case notation nor Python. If the notation fails later, among the
    // arguments of a call, its fault tells more.
    const bool in_arguments =
        text.substr(0, of_notation.position).find('(') != std::string_view::npos;
    const bool further = of_notation.position > fault.position;
    throw usage_error(in_arguments && further && !is_python(text) ? of_notation : fault);
  }
}

}  // namespace upcast
