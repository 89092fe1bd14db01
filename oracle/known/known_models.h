// Models of wrong answers that depend on the operands: what `model:NAME` in
// cases/known_differences.toml stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// What a side answers to the case, wrongly; `right` is the right answer. Nothing where the model
/// does not speak of such a case.
using WrongAnswer = std::optional<Answer> (*)(const Case& c, const Answer& right);

/// For a path that may answer several values: the answer nearest to `answer` that it allows. Each
/// element is `right`'s (the scalar path's, or within its bounds) or one that a vector path may
/// give. `right` and `answer` are tensors of one dtype and shape.
using PathAnswer = std::optional<Answer> (*)(const Case& c, const Answer& right,
                                             const Answer& answer);

/// A model's function for some ops. Rows of one name are one model; no two of them know one op.
struct ModelRow {
  std::string_view name;
  std::vector<std::string_view> ops;  // names of catalogue rows, which hold aliases too
  std::variant<WrongAnswer, PathAnswer> function;
  PathAnswer path = nullptr;  // of a WrongAnswer: what LibTorch's other paths answer, mostly none
};
using ModelRows = std::vector<ModelRow>;

/// Stands for all ops, where the fault is in a conversion, which any op may end with.
inline constexpr std::string_view kEveryOp = "*";

/// A row for each model and op; a table a file.
const ModelRows& model_rows();

/// All rows of one name.
class KnownModel {
 public:
  explicit KnownModel(std::vector<const ModelRow*> rows) : rows_(std::move(rows)) {}

  bool knows(std::string_view op) const { return row_of(op) != nullptr; }
  bool knows_every_op() const { return row_of(kEveryOp) != nullptr; }
  /// "add, sub".
  std::string ops() const;
  /// Nothing for an op that it does not know, and where a path's answer is asked for without one.
  std::optional<Answer> answer(const Case& c, const Answer& right) const;
  /// As PathAnswer; a model of one wrong answer allows that one, or what its row says of paths.
  std::optional<Answer> nearest(const Case& c, const Answer& right, const Answer& answer) const;
  /// Whether its row for the op allows several values on any path: nearest() is its answer.
  bool allows_several(std::string_view op) const;
  /// Whether its row for the op says what paths answer.
  bool knows_paths(std::string_view op) const;

 private:
  const ModelRow* row_of(std::string_view op) const;

  std::vector<const ModelRow*> rows_;
};

/// Nothing where there is none.
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

/// The model of that name, for another model that needs it.
std::optional<Answer> complex_formula(const Case& c, const Answer& right);

}  // namespace models
}  // namespace upcast
