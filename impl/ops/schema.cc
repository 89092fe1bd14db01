#include "impl/ops/schema.h"

#include "impl/core/error.h"

namespace upcast {
namespace {

ParameterType parameter_type(std::string_view text) {
  struct Row {
    std::string_view text;
    ParameterType type;
  };
  static constexpr Row kRows[] = {{"Tensor", ParameterType::kTensor},
                                  {"Tensor(a)", ParameterType::kTensor},
                                  {"Tensor?", ParameterType::kOptionalTensor},
                                  {"Scalar", ParameterType::kScalar},
                                  {"Scalar?", ParameterType::kOptionalScalar},
                                  {"int", ParameterType::kInt},
                                  {"float", ParameterType::kFloat},
                                  {"float?", ParameterType::kOptionalFloat},
                                  {"bool", ParameterType::kBool},
                                  {"str", ParameterType::kText},
                                  {"str?", ParameterType::kText},
                                  {"ScalarType", ParameterType::kDType}};
  for (const Row& row : kRows)
    if (row.text == text) return row.type;
  check(false, "a catalogue schema has a parameter type that parse_schema does not know");
  return ParameterType::kTensor;
}

}  // namespace

int Schema::find(std::string_view parameter) const {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == parameter) return static_cast<int>(i);
  return -1;
}

Schema parse_schema(std::string_view text) {
  Schema schema{.text = text};
  const std::size_t open = text.find('(');
  const std::size_t arrow = text.find(") -> ");
  check(open != text.npos && arrow != text.npos, "a catalogue schema is ill-formed");
  schema.callable = text.substr(0, open);
  const std::size_t dot = schema.callable.find('.');
  schema.name = schema.callable.substr(0, dot);
  if (dot != text.npos) schema.overload = schema.callable.substr(dot + 1);
  schema.returns = text.substr(arrow + 5);

  std::string_view rest = text.substr(open + 1, arrow - open - 1);
  bool keyword_only = false;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    const std::string_view item = rest.substr(0, comma);
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 2);
    if (item == "*") {
      keyword_only = true;
      continue;
    }
    const std::size_t space = item.find(' ');
    const std::size_t equals = item.find('=');
    schema.parameters.push_back(
        {.name = item.substr(space + 1, equals == item.npos ? item.npos : equals - space - 1),
         .type = parameter_type(item.substr(0, space)),
         .default_text = equals == item.npos ? std::string_view() : item.substr(equals + 1),
         .keyword_only = keyword_only});
  }
  return schema;
}

}  // namespace upcast
