#include "cases/notation.h"
#include "cases/operand_text.h"
#include "cases/value_class.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

std::string print_expectation(const Expectation& expectation) {
  if (expectation.refuses) return "refuses";
  if (expectation.answer) return *expectation.answer ? "True" : "False";
  std::string text(name(expectation.dtype));
  if (expectation.sizes) text += print_dims(*expectation.sizes);
  if (expectation.values) text += print_values(expectation.dtype, *expectation.values);
  return text;
}

std::string print_call(const Case& c, const OperandPrinter& print) {
  std::string text(c.callable());
  std::string_view comma = "(";
  const auto append = [&](std::string_view keyword, const std::string& value) {
    text += comma;
    text += keyword;
    text += value;
    comma = ", ";
  };
  const std::vector<Parameter>& parameters = c.schema().parameters;
  bool named = false;  // arguments after the first named one need names too, as in elu_backward
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (c.arguments[i].tag == Tag::kAbsent) continue;
    named = named || !stands_by_position(parameters[i]);
    append(named ? std::string(parameters[i].name) + "=" : "",
           print(static_cast<int>(i), c.arguments[i]));
  }
  if (c.form == Form::kOut) append("out=", print(kOutPosition, c.out));
  if (c.second_out.tag == Operand::Tag::kTensor)
    append("second_out=", print(kSecondOutPosition, c.second_out));
  if (c.values != ValueClass::kSmall) append("values=", std::string(name(c.values)));
  if (c.seed != 0) append("seed=", std::to_string(c.seed));
  return text + (comma == "(" ? "()" : ")");
}

}  // namespace

bool stands_by_position(const Parameter& parameter) {
  const bool attribute =
      parameter.type == ParameterType::kInt || parameter.type == ParameterType::kFloat ||
      parameter.type == ParameterType::kOptionalFloat || parameter.type == ParameterType::kBool ||
      parameter.type == ParameterType::kText || parameter.type == ParameterType::kMemoryFormat;
  return !attribute && !parameter.keyword_only && parameter.default_text.empty();
}

std::string print_case(const Case& c, const OperandPrinter& print) {
  std::string text = print_call(c, print);
  if (c.defaults.floating != Defaults{}.floating)
    text += " @default=" + std::string(name(c.defaults.floating));
  if (c.device != Device::kCpu) text += " @device=" + std::string(name(c.device));
  if (c.expectation) text += " -> " + print_expectation(*c.expectation);
  return text;
}

std::string print_case(const Case& c) {
  return print_case(c, [](int, const Operand& operand) { return print_operand(operand); });
}

}  // namespace upcast
