#include "cases/python/evaluate.h"

#include <algorithm>

#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/python/creation.h"
#include "cases/python/fold.h"
#include "cases/python/names.h"
#include "cases/python/written_call.h"
#include "cases/values.h"
#include "impl/core/error.h"

namespace upcast::python {
namespace {

using Kind = Expression::Kind;
using Tag = Operand::Tag;

bool is(const Value& value, Tag tag) { return !value.is_sequence && value.operand.tag == tag; }

Value of(Operand operand) { return {.operand = std::move(operand)}; }

[[noreturn]] void fail_function(std::size_t position, const std::string& name) {
  TextCursor::fail_at(position, "'" + name + "' is a function; call it, as in " + name +
                                    "(int32[3], ...) ('upcast list ops' shows its schemas)");
}

}  // namespace

void Evaluator::bind(const std::string& variable, Value value, int used) {
  Operand& operand = value.operand;
  const bool is_tensor = is(value, Tag::kTensor);
  if (is_tensor && used > 1 && operand.values.empty() && element_count(operand) <= kMostWritten) {
    Case alone;
    alone.arguments = {operand};
    operand.values = operand_values(alone, 0);
  }
  if (value.variable == kNoVariable) value.variable = static_cast<int>(variables_.size());
  variables_[variable] = std::move(value);
}

void Evaluator::note(std::string sentence) {
  if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end())
    notes_.push_back(std::move(sentence));
}

Value Evaluator::computed(const Case& c, std::size_t position) {
  try {
    Value result = of((*setting_.compute)(c));
    note(print_case(c) + " gives " + print_operand(result.operand));
    return result;
  } catch (const UsageError& error) {
    TextCursor::fail_at(position, print_case(c) + " " + error.what());
  }
}

Value Evaluator::value(const Expression& expression) {
  Meaning found = meaning(expression);
  if (Case* const c = std::get_if<Case>(&found)) return computed(*c, expression.position);
  return std::get<Value>(std::move(found));
}

Meaning Evaluator::meaning(const Expression& expression) {
  switch (expression.kind) {
    case Kind::kOperand:
      return of(expression.operand);
    case Kind::kName:
      return name(expression);
    case Kind::kSequence:
      return sequence(expression);
    case Kind::kAttribute:
      return attribute(expression);
    case Kind::kCall:
      return call(expression);
    case Kind::kUnary:
      return unary(expression);
    case Kind::kBinary:
      break;
  }
  return binary(expression);
}

Meaning Evaluator::name(const Expression& expression) {
  const std::string& word = expression.word;
  if (const auto found = variables_.find(word); found != variables_.end()) return found->second;
  if (const std::optional<DType> dtype = find_dtype(word))
    return of({.tag = Tag::kDType, .dtype = *dtype});
  if (const std::optional<double> constant = find_constant(word)) return of(number(*constant));
  if (is_callable(catalogue_name(word))) fail_function(expression.position, word);
  TextCursor::fail_at(expression.position, "'" + word + "' is used before it has a value");
}

std::string Evaluator::dotted_name(const Expression& expression) const {
  if (expression.kind == Kind::kName) return is_bound(expression.word) ? "" : expression.word;
  if (expression.kind != Kind::kAttribute) return "";
  const std::string left = dotted_name(expression.parts[0]);
  return left.empty() ? "" : left + "." + expression.word;
}

Meaning Evaluator::attribute(const Expression& expression) {
  const std::string dotted = dotted_name(expression);
  if (!dotted.empty()) {
    const std::size_t start = [&] {
      const Expression* root = &expression;
      while (root->kind == Kind::kAttribute) root = root->parts.data();
      return root->position;
    }();
    if (const std::optional<DType> dtype = find_dtype(dotted))
      return of({.tag = Tag::kDType, .dtype = *dtype});
    if (const std::optional<double> constant = find_constant(dotted)) return of(number(*constant));
    if (is_callable(catalogue_name(without_module(dotted)))) fail_function(start, dotted);
    fail_unknown_function(start, dotted);
  }
  const Value self = value(expression.parts[0]);
  const std::string& word = expression.word;
  if (!is(self, Tag::kTensor))
    TextCursor::fail_at(expression.position, "only a tensor has attribute '" + word + "'");
  if (word == "dtype") return of({.tag = Tag::kDType, .dtype = self.operand.dtype});
  TextCursor::fail_at(expression.position,
                      is_callable(word) ? "'" + word + "' is called: write torch." + word + "(x)"
                                        : "attribute '" + word + "' is not read; dtype is");
}

Value Evaluator::sequence(const Expression& expression) {
  Value sequence{.is_sequence = true};
  for (const Expression& item : expression.parts) sequence.items.push_back(value(item));
  return sequence;
}

std::vector<GivenValue> Evaluator::arguments(const Expression& call) {
  std::vector<GivenValue> all;
  for (const Argument& argument : call.arguments) {
    GivenValue given{.position = argument.position, .keyword = argument.keyword};
    // the word in values=special belongs to the case notation: it is no variable
    if (is_setting_of_values(argument))
      given.value = of(text(argument.value.word));
    else
      given.value = value(argument.value);
    all.push_back(std::move(given));
  }
  return all;
}

Meaning Evaluator::call(const Expression& call) {
  const std::string dotted = dotted_name(call.parts[0]);
  if (!dotted.empty()) return function(dotted, call);
  const Expression& callee = call.parts[0];
  if (callee.kind == Kind::kAttribute) return method(call);
  if (callee.kind == Kind::kCall)  // nn.ReLU()(x)
    if (const std::string outer = dotted_name(callee.parts[0]); !outer.empty())
      fail_unknown_function(callee.parts[0].position, outer);
  TextCursor::fail_at(call.position, "this is not a function; call one, as in torch.add(x, y)");
}

Meaning Evaluator::function(const std::string& dotted, const Expression& call) {
  const std::size_t position =
      call.parts[0].kind == Kind::kName ? call.parts[0].position : call.position;
  const std::vector<GivenValue> given = arguments(call);
  const std::string name(catalogue_name(without_module(dotted)));
  // float("inf")
  if (find_dtype(dotted) == DType::kFloat64 && given.size() == 1 && is(given[0].value, Tag::kText))
    if (const std::optional<double> constant = find_constant(given[0].value.operand.text))
      return of(number(*constant));
  if (!is_callable(name)) {
    if (std::optional<Operand> made = make_tensor(name, position, given, setting_.defaults))
      return of(std::move(*made));
    fail_unknown_function(position, dotted);
  }
  return apply(name, position, call.end, given);
}

Meaning Evaluator::convert(Value self, DType dtype, const Expression& call) {
  if (self.operand.dtype == dtype) return self;
  GivenValue to{.position = call.position, .value = of(tensor(dtype, self.operand.sizes))};
  to.value.operand.device = self.operand.device;
  return apply("copy_", call.position, call.end,
               {to, {.position = call.position, .value = std::move(self)}});
}

Meaning Evaluator::method(const Expression& call) {
  const Expression& callee = call.parts[0];
  const std::string& word = callee.word;
  Value self = value(callee.parts[0]);
  if (!is(self, Tag::kTensor))
    TextCursor::fail_at(callee.position, "only a tensor has methods, such as int32[3]." + word +
                                             "(...) or torch.tensor(5)." + word + "(...)");
  std::vector<GivenValue> given = arguments(call);
  if (const std::optional<DType> dtype = conversion_of(word); dtype && given.empty())
    return convert(std::move(self), *dtype, call);
  // x.to(torch.float64), x.type(dtype=torch.float64)
  if (given.size() == 1 && is(given[0].value, Tag::kDType) && !is_callable(word))
    return convert(std::move(self), given[0].value.operand.dtype, call);
  if (keeps_tensor(word)) return self;
  if (!is_callable(word)) fail_unknown_function(callee.position, word);
  given.insert(given.begin(), {.position = call.position, .value = std::move(self)});
  return apply(word, callee.position, call.end, given);
}

Meaning Evaluator::unary(const Expression& expression) {
  Value operand = value(expression.parts[0]);
  if (is(operand, Tag::kNumber)) {
    const std::optional<Number> folded = fold(expression.word, operand.operand.number);
    if (!folded)
      TextCursor::fail_at(expression.position, "the number with this sign does not fit 64 bits");
    return of(number(*folded));
  }
  return apply(std::string(unary_method(expression.word)), expression.position,
               expression.parts[0].position,
               {{.position = expression.parts[0].position, .value = std::move(operand)}});
}

Meaning Evaluator::binary(const Expression& expression) {
  const std::string& sign = expression.word;
  const OperatorMethods* const found = find_operator(sign);
  if (found == nullptr)
    TextCursor::fail_at(expression.position, "'" + sign + "' is torch.matmul, which is not an " +
                                                 "elementwise op; '*' multiplies elements");
  GivenValue left{.position = expression.parts[0].position, .value = value(expression.parts[0])};
  GivenValue right{.position = expression.parts[1].position, .value = value(expression.parts[1])};
  const std::size_t end = right.position;
  if (is(left.value, Tag::kNumber) && is(right.value, Tag::kNumber)) {
    const std::optional<Number> folded =
        fold(sign, left.value.operand.number, right.value.operand.number);
    if (!folded)
      TextCursor::fail_at(expression.position,
                          "'" + sign +
                              "' of two numbers does not give a number of 64 bits here, and " +
                              "calls no op of PyTorch");
    return of(number(*folded));
  }
  for (const GivenValue* side : {&left, &right})
    if (!is(side->value, Tag::kNumber) && !is(side->value, Tag::kTensor) &&
        !is(side->value, Tag::kDType))
      TextCursor::fail_at(side->position, "'" + sign + "' takes tensors and numbers");
  if (!is(left.value, Tag::kNumber))
    return apply(std::string(found->method), expression.position, end, {left, right});
  if (!found->of_tensor_first.empty()) {
    Meaning first = apply(std::string(found->of_tensor_first), expression.position, end, {right});
    right.value = computed(std::get<Case>(first), expression.position);
  }
  const std::vector<GivenValue> sides =
      found->number_first ? std::vector{left, right} : std::vector{right, left};
  return apply(std::string(found->reflected), expression.position, end, sides);
}

Meaning Evaluator::in_place(const Statement& statement) {
  const OperatorMethods* const found = find_operator(statement.sign);
  const std::size_t position = statement.position;
  if (found == nullptr || found->in_place.empty())
    TextCursor::fail_at(position, "'" + statement.sign + "=' calls no elementwise op");
  GivenValue target{.position = statement.target.position, .value = value(statement.target)};
  if (is(target.value, Tag::kNumber)) {  // a number has no in-place ops: a += b is a = a + b
    Expression whole{
        .kind = Kind::kBinary, .position = position, .word = statement.sign, .arguments = {}};
    whole.parts = {statement.target, statement.value};
    return binary(whole);
  }
  const GivenValue other{.position = statement.value.position, .value = value(statement.value)};
  return apply(std::string(found->in_place), position, other.position, {target, other});
}

Meaning Evaluator::apply(const std::string& name, std::size_t position, std::size_t end,
                         const std::vector<GivenValue>& arguments) {
  Case c;
  c.defaults = setting_.defaults;
  c.device = setting_.device;
  for (std::string& sentence : resolve_written({name, position, end}, arguments, c))
    note(std::move(sentence));
  return c;
}

}  // namespace upcast::python
