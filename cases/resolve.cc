#include "cases/resolve.h"

#include "cases/callable_index.h"
#include "cases/suggest.h"

namespace upcast {
namespace {

using internal::Callable;
using internal::CallableIndex;
using Tag = Operand::Tag;

std::string_view describe(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::kTensor:
      return "a tensor or a number";
    case ParameterType::kOptionalTensor:
      return "a tensor, a number or None";
    case ParameterType::kScalar:
      return "a number";
    case ParameterType::kOptionalScalar:
      return "a number or None";
    case ParameterType::kInt:
      return "a whole number";
    case ParameterType::kFloat:
      return "a real number";
    case ParameterType::kOptionalFloat:
      return "a real number or None";
    case ParameterType::kBool:
      return "True or False";
    case ParameterType::kText:
    case ParameterType::kMemoryFormat:
      return may_be_none(parameter) ? "\"text\" or None" : "\"text\"";
    case ParameterType::kDType:
      return "a dtype";
  }
  return "";
}

enum class Fit { kNo, kYes, kWrapped };  // kWrapped: fits as a wrapped number in a Tensor slot

Fit fit(const Operand& operand, const Parameter& parameter) {
  const ParameterType type = parameter.type;
  const auto yes_if = [](bool condition) { return condition ? Fit::kYes : Fit::kNo; };
  const bool number = operand.tag == Tag::kNumber;
  const bool none = operand.tag == Tag::kNone && may_be_none(parameter);
  const DType dtype = operand.number.dtype();
  switch (type) {
    case ParameterType::kTensor:
    case ParameterType::kOptionalTensor:
      if (number) return Fit::kWrapped;
      return yes_if(operand.tag == Tag::kTensor || operand.tag == Tag::kUndefined || none);
    case ParameterType::kScalar:
      return yes_if(number);
    case ParameterType::kOptionalScalar:
      return yes_if(number || none);
    case ParameterType::kInt:
      return yes_if(number && dtype == DType::kInt64);
    case ParameterType::kFloat:
    case ParameterType::kOptionalFloat:
      return yes_if((number && (dtype == DType::kInt64 || dtype == DType::kFloat64)) || none);
    case ParameterType::kBool:
      return yes_if(number && dtype == DType::kBool);
    case ParameterType::kText:
    case ParameterType::kMemoryFormat:
      return yes_if(operand.tag == Tag::kText || none);
    case ParameterType::kDType:
      return yes_if(operand.tag == Tag::kDType || operand.tag == Tag::kUndefined);
  }
  return Fit::kNo;
}

/// An operand as a parameter reads it. The word `undefined` can mean an undefined tensor or the
/// dtype of that name; the parameter's type decides.
Operand as_parameter(const Operand& operand, const Parameter& parameter) {
  if (operand.tag == Tag::kUndefined && parameter.type == ParameterType::kDType)
    return {.tag = Tag::kDType};
  return operand;
}

/// The index of the parameter that an argument of the line is given to.
std::size_t parameter_of(const Callable& callable, const WrittenArgument& argument,
                         std::size_t nth) {
  const std::vector<Parameter>& parameters = callable.schema().parameters;
  const std::string schema = std::string(callable.schema().text);
  if (argument.keyword.empty()) {
    if (nth >= parameters.size() || parameters[nth].keyword_only)
      TextCursor::fail_at(argument.position, "too many positional arguments for " +
                                                 std::string(callable.name) + ": " + schema);
    return nth;
  }
  const int found = callable.schema().find(argument.keyword);
  if (found >= 0) return static_cast<std::size_t>(found);
  std::vector<std::string_view> names{"out", "second_out", "values", "seed"};
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  TextCursor::fail_at(argument.position, std::string(callable.name) + " has no parameter '" +
                                             std::string(argument.keyword) + "'" +
                                             did_you_mean(argument.keyword, names) + ": " + schema);
}

/// The arguments of a call in the order of the callable's parameters. Faults if they do not fit.
std::vector<Operand> bind(const Callable& callable, const WrittenCall& call, bool wrap) {
  const std::vector<Parameter>& parameters = callable.schema().parameters;
  std::vector<Operand> bound(parameters.size());
  bool keywords = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const WrittenArgument& argument = call.arguments[i];
    keywords = keywords || !argument.keyword.empty();
    if (keywords && argument.keyword.empty())
      TextCursor::fail_at(argument.position, "positional arguments come before the named ones");
    const std::size_t at = parameter_of(callable, argument, i);
    const std::string name(parameters[at].name);
    if (bound[at].tag != Tag::kAbsent)
      TextCursor::fail_at(argument.position, "argument '" + name + "' is given twice");
    const Fit fits = fit(argument.operand, parameters[at]);
    if (fits == Fit::kNo || (fits == Fit::kWrapped && !wrap))
      TextCursor::fail_at(argument.position, "argument '" + name + "' of " +
                                                 std::string(callable.name) + " takes " +
                                                 std::string(describe(parameters[at])));
    bound[at] = as_parameter(argument.operand, parameters[at]);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (bound[i].tag == Tag::kAbsent && parameters[i].default_text.empty())
      TextCursor::fail_at(call.end, std::string(callable.name) + " needs argument '" +
                                        std::string(parameters[i].name) +
                                        "': " + std::string(callable.schema().text));
  if (callable.form == Form::kInPlace && bound[0].tag == Tag::kNumber)
    TextCursor::fail_at(call.arguments[0].position,
                        "a number cannot be written in place; self is a tensor");
  return bound;
}

/// Checks `:shares`. A tensor may share with an earlier argument, and out= with any argument. That
/// argument must be a tensor of the same dtype that has a storage of its own.
void check_shares(const Operand& operand, std::size_t before, const std::vector<Operand>& bound,
                  std::size_t position) {
  if (operand.shares == kOwnStorage) return;
  const std::string owner = "argument " + std::to_string(operand.shares);
  if (static_cast<std::size_t>(operand.shares) >= before)
    TextCursor::fail_at(position, "shares(" + std::to_string(operand.shares) +
                                      ") must name an argument before this one, counted from 0");
  const Operand& other = bound[operand.shares];
  if (other.tag != Tag::kTensor || other.shares != kOwnStorage)
    TextCursor::fail_at(position, owner + " is not a tensor with a storage of its own");
  if (other.dtype != operand.dtype)
    TextCursor::fail_at(
        position, owner + " is of another dtype; tensors that share storage have the same dtype");
}

void check_shares(const Callable& callable, const WrittenCall& call,
                  const std::vector<Operand>& bound) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const WrittenArgument& argument = call.arguments[i];
    check_shares(argument.operand, parameter_of(callable, argument, i), bound, argument.position);
  }
  if (call.out) check_shares(*call.out, bound.size(), bound, call.end);
}

bool try_bind(const Callable& callable, const WrittenCall& call, bool wrap,
              std::vector<Operand>& bound, SyntaxFault& furthest) {
  try {
    bound = bind(callable, call, wrap);
    return true;
  } catch (SyntaxFault& fault) {
    if (furthest.message.empty() || fault.position > furthest.position) furthest = std::move(fault);
    return false;
  }
}

/// The callables with a name, or with an overload of it. The callable whose whole name it is comes
/// first. If several fit the arguments, as for clamp(int8[2], None, None), "clamp" then means the
/// one that print_case writes as "clamp".
std::vector<Callable> candidates_of(std::string_view name) {
  const CallableIndex& index = CallableIndex::get();
  if (name.find('.') != name.npos) return index.exact(name);
  std::vector<Callable> candidates = index.overloads(name);
  std::stable_partition(candidates.begin(), candidates.end(),
                        [name](const Callable& callable) { return callable.name == name; });
  return candidates;
}

[[noreturn]] void fail_unknown(const WrittenCall& call, std::string_view name) {
  const std::string_view base = name.substr(0, name.find('.'));
  const std::vector<Callable>& known = CallableIndex::get().overloads(base);
  if (known.empty())
    TextCursor::fail_at(call.position, "unknown op '" + std::string(name) + "'" +
                                           did_you_mean(base, CallableIndex::get().names()) +
                                           " ('upcast list ops' shows them)");
  std::string there;
  for (const Callable& callable : known)
    there += (there.empty() ? "" : ", ") + std::string(callable.name);
  TextCursor::fail_at(call.position, std::string(base) + " has no overload '" +
                                         std::string(name.substr(base.size() + 1)) +
                                         "'; there are " + there);
}

/// The callables that a name in a line may mean, after prefixes such as "torch." are dropped.
std::vector<Callable> find_candidates(const WrittenCall& call) {
  std::string_view name = call.name;
  for (std::string_view prefix : {"torch.ops.aten.", "torch.nn.functional.", "torch.", "aten::"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  constexpr std::string_view kSpecial = "special.";
  if (name.starts_with(kSpecial)) {
    const std::string_view plain = name.substr(kSpecial.size());
    const std::vector<Callable> special = candidates_of("special_" + std::string(plain));
    if (!special.empty()) return special;
    name = plain;
  }
  const std::vector<Callable> found = candidates_of(name);
  if (found.empty()) fail_unknown(call, name);
  return found;
}

/// Keeps the callables with out= if the call has one, else those without. In "add.Tensor(...,
/// out=...)" the name means the out form of that overload.
std::vector<Callable> with_form(std::vector<Callable> found, const WrittenCall& call) {
  std::vector<Callable> fitting;
  for (Callable callable : found) {
    if (call.out && callable.form == Form::kFunctional && call.name.ends_with(callable.name)) {
      const std::string_view out = callable.op->callable(callable.overload, Form::kOut);
      if (!out.empty()) callable = {out, callable.op, callable.overload, Form::kOut};
    }
    if ((callable.form == Form::kOut) == call.out.has_value()) fitting.push_back(callable);
  }
  const std::string name(found.front().name);
  const bool wants_second = call.out && !fitting.empty() && fitting.front().op->output_count() > 1;
  if (wants_second && !call.second_out)
    TextCursor::fail_at(call.end, name + " needs second_out=DTYPE[SIZES]");
  if (call.second_out && !wants_second)
    TextCursor::fail_at(call.position, name + " has no second output");
  if (!fitting.empty()) return fitting;
  if (call.out) TextCursor::fail_at(call.position, name + " has no out= form");
  TextCursor::fail_at(call.end, name + " needs out=DTYPE[SIZES]");
}

}  // namespace

bool may_be_none(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::kOptionalTensor:
    case ParameterType::kOptionalScalar:
    case ParameterType::kOptionalFloat:
    case ParameterType::kMemoryFormat:
      return true;
    case ParameterType::kText:
      return parameter.default_text.empty() || parameter.default_text == "None";
    default:
      return false;
  }
}

void resolve_call(WrittenCall call, Case& c) {
  const std::vector<Callable> candidates = with_form(find_candidates(call), call);
  const bool number_is_tensor = candidates.front().op->spec->takes_numbers_as_tensors;
  SyntaxFault furthest;
  for (bool wrap : {false, true}) {
    for (const Callable& callable : candidates) {
      // an overload without a name ("clamp") also takes numbers as wrapped numbers
      const bool bare = callable.name.find('.') == callable.name.npos;
      if (!try_bind(callable, call, wrap || number_is_tensor || bare, c.arguments, furthest))
        continue;
      check_shares(callable, call, c.arguments);
      c.op = callable.op;
      c.overload = callable.overload;
      c.form = callable.form;
      if (call.out) c.out = std::move(*call.out);
      if (call.second_out) c.second_out = std::move(*call.second_out);
      return;
    }
  }
  throw furthest;
}

}  // namespace upcast
