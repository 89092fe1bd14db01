#include "cases/attribute_values.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "cases/operand_text.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using Operands = std::vector<Operand>;

constexpr std::string_view kAnyNumber =
    "0, -0.0, 1, -1, 2, 3, 300, 2.5, 0.1, 1e30, True, nan, inf, 1+2j";

/// Samples for parameters with the same name in several ops. Samples in an op's own row override
/// them.
constexpr std::array<Samples, 12> kOfAnyOp{{
    {"reduction", "", "0"},  // no mean (1), no sum (2): they are not elementwise
    {"decimals", "0, 1, 3, -2, 20, 400", "0, 2, -1"},
    {"min", "None, -3, 0.5, nan, inf"},
    {"max", "None, 2, 1.5, nan, -inf"},
    {"min_val", "-1, 0, 2, -1.5"},
    {"max_val", "1, 1.5, -2, 6"},
    {"approximate", "", R"("none", "tanh")"},
    {"lambd", "0.5, 0, 2, -1, inf"},
    {"is_result", "", "False, True"},
    {"negative_slope", "0.01, 0, -1, 2"},
    {"exponent", "0, 1, 2, 3, -1, -2, 0.5, -0.5, 2.5, True, nan, inf, 1+2j"},
    {"value", "0, -1, 300, 2.5, True, nan, 1+2j"},
}};

Operands parse(std::string_view text) {
  Operands operands;
  TextCursor cursor(text);
  do operands.push_back(parse_operand(cursor));
  while (cursor.accept(", "));
  return operands;
}

/// The operands that a text lists. Each text is parsed once, at the first call.
const Operands& operands_of(std::string_view text) {
  static const auto parsed = [] {
    std::unordered_map<std::string_view, Operands> made{{kAnyNumber, parse(kAnyNumber)}};
    const auto add = [&made](const auto& all) {
      for (const Samples& samples : all)
        for (const std::string_view each : {samples.values, samples.typing})
          if (!each.empty()) made.try_emplace(each, parse(each));
    };
    for (const Op& op : catalogue()) add(op.spec->samples);
    add(kOfAnyOp);
    return made;
  }();
  return parsed.at(text);
}

const Samples* find_samples(const Op& op, const Parameter& parameter) {
  const auto find = [&parameter](const auto& all) -> const Samples* {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Samples& samples) {
      return samples.parameter == parameter.name;
    });
    return found == all.end() ? nullptr : &*found;
  };
  const Samples* own = find(op.spec->samples);
  return own != nullptr ? own : find(kOfAnyOp);
}

template <class... Values>
Operands numbers(Values... values) {
  return {number(values)...};
}
Operands none_and(Operands operands) {
  operands.insert(operands.begin(), kNoneOperand);
  return operands;
}

/// Values that any parameter of this type accepts.
Operands values_of_type(const Parameter& parameter) {
  if (parameter.type == ParameterType::kOptionalScalar) return none_and(kinds_of_numbers());
  if (!parameter.default_text.empty()) return {};
  switch (parameter.type) {
    case ParameterType::kScalar:
      return kinds_of_numbers();
    case ParameterType::kInt:
      return numbers(1);
    case ParameterType::kFloat:
      return numbers(0.5);
    case ParameterType::kBool:
      return numbers(false);
    default:
      break;
  }
  check(false, "the grids have no value for an attribute: add samples of it to the op's row");
  return {};
}

}  // namespace

Operands kinds_of_numbers() { return numbers(true, 3, 2.5, Complex<double>{1, 2}); }

std::vector<double> degrees() { return {2, 0, 1, 3, 5, 2.5, 4, 10, -1, 7, 20, 30}; }

std::vector<Operand> typing_values(const Op& op, const Parameter& parameter) {
  const Samples* samples = find_samples(op, parameter);
  if (samples != nullptr && !samples->typing.empty()) return operands_of(samples->typing);
  return values_of_type(parameter);
}

std::vector<Operand> plain_values(const Op& op, const Parameter& parameter) {
  std::vector<Operand> values = typing_values(op, parameter);
  if (is_scalar(parameter) && !values.empty()) values = numbers(2, 2.5);
  return values;
}

std::vector<Operand> attribute_values(const Op& op, const Parameter& parameter) {
  if (const Samples* samples = find_samples(op, parameter))
    return operands_of(samples->values.empty() ? samples->typing : samples->values);
  if (parameter.type == ParameterType::kScalar && parameter.default_text.empty())
    return operands_of(kAnyNumber);
  return values_of_type(parameter);
}

}  // namespace upcast
