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

/// The function of a model with several allowed answers, for paths of LibTorch. It returns the
/// allowed answer that is nearest to `answer`. Each of its elements is `right`'s (the scalar
/// path's, or within its bounds) or one that a vector path may give. `right` and `answer` are
/// tensors of one dtype and shape.
using PathAnswer = std::optional<Answer> (*)(const Case& c, const Answer& right,
                                             const Answer& answer);

/// A function of a model, for some ops. All rows with one name are one model; an op is in one row
/// of a model only.
struct ModelRow {
  std::string_view name;
  std::vector<std::string_view> ops;  // names of catalogue rows, which include aliases
  std::variant<WrongAnswer, PathAnswer> function;
  // The answer of LibTorch's other paths, if `function` is a WrongAnswer; mostly null.
  PathAnswer path = nullptr;
};
using ModelRows = std::vector<ModelRow>;

/// In place of an op's name: the row holds for all ops, because its fault is in a conversion, which
/// any op may end with.
inline constexpr std::string_view kEveryOp = "*";

/// The rows of all models. Each file of models adds a table of them.
const ModelRows& model_rows();

/// A model: all rows with the same name.
class KnownModel {
 public:
  explicit KnownModel(std::vector<const ModelRow*> rows) : rows_(std::move(rows)) {}

  bool knows(std::string_view op) const { return row_of(op) != nullptr; }
  bool knows_every_op() const { return row_of(kEveryOp) != nullptr; }
  /// "add, sub".
  std::string ops() const;
  /// The model's wrong answer. Nothing if the model does not know the op, or needs a path's answer
  /// (nearest()).
  std::optional<Answer> answer(const Case& c, const Answer& right) const;
  /// The allowed answer that is nearest to `answer`, as a PathAnswer gives it. A model with one
  /// wrong answer allows that answer, or what its row's `path` gives.
  std::optional<Answer> nearest(const Case& c, const Answer& right, const Answer& answer) const;
  /// Whether the model allows several values for the op on any path. If so, nearest() gives its
  /// answer, and answer() gives nothing.
  bool allows_several(std::string_view op) const;
  /// Whether the model's row for the op covers vector paths.
  bool knows_paths(std::string_view op) const;

 private:
  const ModelRow* row_of(std::string_view op) const;

  std::vector<const ModelRow*> rows_;
};

/// The model with this name; nothing if there is none.
std::optional<KnownModel> find_known_model(std::string_view name);
/// The names of all models, as "a, b, c", for messages.
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

/// The function of the model complex_formula, which another model's row also uses.
std::optional<Answer> complex_formula(const Case& c, const Answer& right);

}  // namespace models
}  // namespace upcast
