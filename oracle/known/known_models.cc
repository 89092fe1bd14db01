#include "oracle/known/known_models.h"

#include <set>

#include "oracle/known/loop_values.h"

namespace upcast {
namespace {

ModelRows all_rows() {
  ModelRows rows;
  for (const auto table :
       {models::activation_models, models::arithmetic_models, models::bessel_models,
        models::comparison_models, models::compiler_models, models::complex_models,
        models::contracted_models, models::conversion_models, models::decomposition_models,
        models::gamma_models, models::inductor_models, models::meta_models, models::number_models,
        models::onednn_models, models::polynomial_models, models::power_models,
        models::selection_models, models::vector_models})
    for (ModelRow& row : table()) rows.push_back(std::move(row));
  return rows;
}

std::optional<Answer> as_memory_holds(const Case& c, std::optional<Answer> answer) {
  if (!answer) return std::nullopt;
  return models::as_memory_holds(c, *std::move(answer));
}

void append(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

}  // namespace

const ModelRows& model_rows() {
  static const ModelRows rows = all_rows();
  return rows;
}

const ModelRow* KnownModel::row_of(std::string_view op) const {
  for (const ModelRow* row : rows_)
    for (const std::string_view known : row->ops)
      if (known == op || known == kEveryOp) return row;
  return nullptr;
}

std::string KnownModel::ops() const {
  std::string list;
  for (const ModelRow* row : rows_)
    for (const std::string_view op : row->ops) append(list, op);
  return list;
}

std::optional<Answer> KnownModel::answer(const Case& c, const Answer& right) const {
  const ModelRow* const row = row_of(c.op->spec->name);
  const auto* wrong = row == nullptr ? nullptr : std::get_if<WrongAnswer>(&row->function);
  return wrong == nullptr ? std::nullopt : as_memory_holds(c, (*wrong)(c, right));
}

std::optional<Answer> KnownModel::nearest(const Case& c, const Answer& right,
                                          const Answer& answer) const {
  const ModelRow* const row = row_of(c.op->spec->name);
  if (row == nullptr) return std::nullopt;
  const auto* path = std::get_if<PathAnswer>(&row->function);
  if (path == nullptr && row->path != nullptr) path = &row->path;
  return path == nullptr ? this->answer(c, right) : as_memory_holds(c, (*path)(c, right, answer));
}

bool KnownModel::allows_several(std::string_view op) const {
  const ModelRow* const row = row_of(op);
  return row != nullptr && std::holds_alternative<PathAnswer>(row->function);
}

bool KnownModel::knows_paths(std::string_view op) const {
  const ModelRow* const row = row_of(op);
  return row != nullptr && row->path != nullptr;
}

std::optional<KnownModel> find_known_model(std::string_view name) {
  std::vector<const ModelRow*> rows;
  for (const ModelRow& row : model_rows())
    if (row.name == name) rows.push_back(&row);
  return rows.empty() ? std::nullopt : std::optional(KnownModel(std::move(rows)));
}

std::string known_model_names() {
  std::set<std::string_view> names;
  for (const ModelRow& row : model_rows()) names.insert(row.name);
  std::string list;
  for (const std::string_view name : names) append(list, name);
  return list;
}

}  // namespace upcast
