// Finding a model by the name that stands in known_differences.toml.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace upcast {

template <class Model>
struct NamedModel {
  std::string_view name;
  Model model;
};

/// Null where there is none.
template <class Model>
Model find_model(std::span<const NamedModel<Model>> models, std::string_view name) {
  for (const NamedModel<Model>& row : models)
    if (row.name == name) return row.model;
  return nullptr;
}

/// "a, b, c".
template <class Model>
std::string names_of(std::span<const NamedModel<Model>> models) {
  std::string names;
  for (const NamedModel<Model>& row : models) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

}  // namespace upcast
