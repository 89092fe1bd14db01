// An ATen function schema, as native_functions.yaml writes it, taken apart.
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
  kDType  // ScalarType
};

struct Parameter {
  std::string_view name;
  ParameterType type;
  std::string_view default_text;  // "" where the caller must give it
  bool keyword_only;
};

/// Views into the text, which must outlive it (catalogue rows are literals).
struct Schema {
  std::string_view text;
  std::string_view callable{};  // "add.Tensor"
  std::string_view name{};      // "add"
  std::string_view overload{};  // "Tensor", may be ""
  std::vector<Parameter> parameters{};
  std::string_view returns{};  // "Tensor", "ScalarType", "bool"

  /// Index of a parameter, or -1.
  int find(std::string_view parameter) const;
};

/// Takes a schema apart. An ill-formed text is our own mistake: it aborts.
Schema parse_schema(std::string_view text);

}  // namespace upcast
