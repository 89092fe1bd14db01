// Models of wrong answers that depend on the operands. They are the `model:NAME` of
// cases/known_differences.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// A side's wrong answer to the case; `right` is the right answer. Nothing if the model does not
/// cover such a case.
using WrongAnswer = std::optional<Answer> (*)(const Case& c, const Answer& right);

/// For a path that may answer several values: the answer nearest to `answer` that it allows. Each
/// element is `right`'s (the scalar path's, or within its bounds) or one that a vector path may
/// give. `right` and `answer` are tensors of one dtype and shape.
using PathAnswer = std::optional<Answer> (*)(const Case& c, const Answer& right,
                                             const Answer& answer);

/// A model's function for some ops. Rows with the same name are one model; no two of them know the
/// same op.
struct ModelRow {
  std::string_view name;
  std::vector<std::string_view> ops;  // names of catalogue rows, which include aliases
  std::variant<WrongAnswer, PathAnswer> function;
  PathAnswer path = nullptr;  // of a WrongAnswer: the answer of LibTorch's other paths; mostly none
};
using ModelRows = std::vector<ModelRow>;

/// Stands for all ops, if the fault is in a conversion, with which any op may end.
inline constexpr std::string_view kEveryOp = "*";

/// A row for each model and op; each file has a table.
const ModelRows& model_rows();

/// A model: all rows with the same name.
class KnownModel {
 public:
  explicit KnownModel(std::vector<const ModelRow*> rows) : rows_(std::move(rows)) {}

  bool knows(std::string_view op) const { return row_of(op) != nullptr; }
  bool knows_every_op() const { return row_of(kEveryOp) != nullptr; }
  /// "add, sub".
  std::string ops() const;
  /// The model's answer. Nothing for an op that it does not know, or if it needs a path's answer.
  std::optional<Answer> answer(const Case& c, const Answer& right) const;
  /// As PathAnswer. A model with one wrong answer allows that one, or what its row says of paths.
  std::optional<Answer> nearest(const Case& c, const Answer& right, const Answer& answer) const;
  /// Whether its row for the op allows several values on any path, so that nearest() gives its
  /// answer.
  bool allows_several(std::string_view op) const;
  /// Whether its row for the op covers vector paths.
  bool knows_paths(std::string_view op) const;

 private:
  const ModelRow* row_of(std::string_view op) const;

  std::vector<const ModelRow*> rows_;
};

/// Finds the model of a name; nothing if there is none.
std::optional<KnownModel> find_known_model(std::string_view name);
/// "a, b, c".
std::string known_model_names();

namespace models {

ModelRows activation_models();
ModelRows arithmetic_models();
ModelRows bessel_models();
ModelRows comparison_models();
ModelRows compiler_models();
ModelRows complex_models();
ModelRows contracted_models();
ModelRows conversion_models();
ModelRows decomposition_models();
ModelRows gamma_models();
ModelRows inductor_models();
ModelRows meta_models();
ModelRows number_models();
ModelRows onednn_models();
ModelRows polynomial_models();
ModelRows power_models();
ModelRows selection_models();
ModelRows vector_models();

/// The model complex_formula, for another model that needs it.
std::optional<Answer> complex_formula(const Case& c, const Answer& right);

}  // namespace models
}  // namespace upcast
