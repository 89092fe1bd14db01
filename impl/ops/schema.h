// Parses an ATen function schema, as native_functions.yaml writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast {

enum class ParameterType : unsigned char {
  kTensor,          // Tensor
  kOptionalTensor,  // Tensor?
  kScalar,          // Scalar
  kOptionalScalar,  // Scalar?
  kInt,
  kFloat,
  kOptionalFloat,  // float?
  kBool,
  kText,  // str or str?
  kMemoryFormat,
  kDType  // ScalarType
};

struct Parameter {
  std::string_view name;
  ParameterType type;
  std::string_view default_text;  // the default's text; "" if the caller must give a value
  bool keyword_only;
};

/// A parsed schema. Its members are views of the text, which must outlive it; the catalogue's texts
/// are literals.
struct Schema {
  std::string_view text;
  std::string_view callable{};  // "add.Tensor"
  std::string_view name{};      // "add"
  std::string_view overload{};  // the overload's name, such as "Tensor"; may be ""
  std::vector<Parameter> parameters{};
  std::string_view returns{};  // what it returns: "Tensor", "ScalarType" or "bool"

  /// The index of a parameter, or -1 if the schema has no such parameter.
  int find(std::string_view parameter) const;
};

/// Parses a schema. An ill-formed text is an error in this program, and aborts it.
Schema parse_schema(std::string_view text);

}  // namespace upcast
