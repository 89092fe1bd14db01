// The rule book of a thesis of 2020 about type promotion of unary functions in PyTorch
// (docs/sources.md). It has the table of promoteTypes as printed in 2020. It has the proposals for
// unary floating functions: promotion, the dtype= argument, the JIT's shape formula, and casts for
// ONNX. It also has what the thesis says of NumPy and JAX. TensorIterator's strategies of 2020 are
// in thesis_strategies.h.
#pragma once

#include <algorithm>
#include <optional>

#include "impl/promotion/rulebooks/op_names.h"
#include "impl/promotion/rulebooks/rulebook.h"
#include "impl/promotion/rulebooks/thesis_strategies.h"

namespace upcast::rulebooks {
namespace thesis {

inline constexpr DTypeSet kReals = kBools | kIntegers | DTypeSet{DType::kFloat16} | kFullFloats;
inline constexpr DTypeSet kDTypes =
    kReals | DTypeSet{DType::kBFloat16, DType::kComplex32} | kFullComplex;

/// The names of dtypes in figure 3.7 of the thesis, in the order of its columns.
struct PrintedName {
  std::string_view text;
  DType dtype;
};
inline constexpr std::array<PrintedName, 16> kColumns{{{"u1", DType::kUInt8},
                                                       {"i1", DType::kInt8},
                                                       {"i2", DType::kInt16},
                                                       {"i4", DType::kInt32},
                                                       {"i8", DType::kInt64},
                                                       {"f2", DType::kFloat16},
                                                       {"f4", DType::kFloat32},
                                                       {"f8", DType::kFloat64},
                                                       {"c2", DType::kComplex32},
                                                       {"c4", DType::kComplex64},
                                                       {"c8", DType::kComplex128},
                                                       {"b1", DType::kBool},
                                                       {"q1", DType::kQInt8},
                                                       {"q2", DType::kQUInt8},
                                                       {"q3", DType::kQInt32},
                                                       {"bf", DType::kBFloat16}}};

// Figure 3.7 as printed, a row for each column, shifted cells included. ud: undefined. Ten rows
// lack cells, and the print does not say which.
// clang-format off
inline constexpr std::array<std::string_view, 16> kPrintedRows{
    "figure 3.7, row u1: u1 i2 i2 i4 i8 f2 f4 f8 c2 c4 c8 b1 q1 q2 q3 bf",
    "figure 3.7, row i1: i2 i1 i2 i4 i8 f2 f4 f8 ud c4 c8 u1 ud ud ud ud",
    "figure 3.7, row i2: i2 i2 i2 i4 i8 f2 f4 f8 ud c4 c8 i1 ud ud ud ud",
    "figure 3.7, row i4: i4 i4 i4 i4 i8 f2 f4 f8 ud c4 c8 i2 ud ud ud ud",
    "figure 3.7, row i8, lacks 1 of 16 cells: i8 i8 i8 i8 f2 f4 f8 ud c4 c8 i4 ud ud ud ud",
    "figure 3.7, row f2, lacks 1 of 16 cells: f2 f2 f2 f2 f2 f4 f8 ud c4 c8 f2 ud ud ud ud",
    "figure 3.7, row f4, lacks 1 of 16 cells: f4 f4 f4 f4 f4 f4 f8 ud c4 c8 f4 ud ud ud ud",
    "figure 3.7, row f8, lacks 1 of 16 cells: f8 f8 f8 f8 f8 f8 f8 ud c8 c8 f8 ud ud ud ud",
    "figure 3.7, row c2, lacks 1 of 16 cells: ud ud ud ud ud ud c2 c4 c8 ud ud ud ud ud ud",
    "figure 3.7, row c4: c4 c4 c4 c4 c4 c4 c4 c4 c8 c4 c8 ud ud ud ud ud",
    "figure 3.7, row c8, lacks 9 of 16 cells: c8 c8 ud ud ud ud ud",
    "figure 3.7, row b1: u1 i1 i2 i4 i8 f2 f4 f8 ud ud ud b1 ud ud ud ud",
    "figure 3.7, row q1, lacks 13 of 16 cells: ud ud ud",
    "figure 3.7, row q2, lacks 13 of 16 cells: ud ud ud",
    "figure 3.7, row q3, lacks 13 of 16 cells: ud ud ud",
    "figure 3.7, row bf, lacks 13 of 16 cells: ud ud bf"};
// clang-format on

constexpr std::size_t column_of(DType dtype) {
  std::size_t column = 0;
  while (column < kColumns.size() && kColumns[column].dtype != dtype) ++column;
  return column;
}

/// The cells of a printed row of figure 3.7. Each cell has two letters and a blank.
constexpr std::string_view cells_of(std::string_view row) { return row.substr(row.find(": ") + 2); }
constexpr std::size_t cell_count(std::string_view cells) { return (cells.size() + 1) / 3; }
constexpr std::string_view cell(std::string_view cells, std::size_t at) {
  return cells.substr(3 * at, 2);
}

/// A cell of figure 3.7, by row and column, with the printed row as its rule. If a row lacks one
/// cell, two of its cells may belong to the column; the reply has a dtype only if both are equal.
/// If a row lacks more cells, it is not read.
constexpr Reply promote_types_as_printed(DType row, DType column) {
  const std::size_t line = column_of(row);
  const std::size_t at = column_of(column);
  if (line == kColumns.size() || at == kColumns.size())
    return outside("figure 3.7 has no such row or column");
  const std::string_view printed = kPrintedRows[line];
  const std::string_view cells = cells_of(printed);
  const std::size_t missing = kColumns.size() - cell_count(cells);
  const std::string_view found = cell(cells, std::min(at, cell_count(cells) - 1));
  const bool one_of_two = missing == 1 && at > 0 && cell(cells, at - 1) != found;
  if (missing > 1 || one_of_two) return outside(printed);
  for (const PrintedName& each : kColumns)
    if (each.text == found) return gives(each.dtype, printed);
  return refuses(printed);  // ud
}

/// The unary floating functions, as the proposal lists them and as figure 3.10 registers them
/// ("aten::acos(Tensor self) -> Tensor" and so on). tanh stands twice in both.
inline constexpr std::string_view kFloatingFunctions =
    "acos angle tanh asin atan ceil cos cosh digamma erf erfc erfinv exp expm1 log log10 log1p "
    "log2 floor frac lgamma rsqrt sigmoid sin sinh sqrt tan tanh trunc";

constexpr bool is_integral_or_bool(DType dtype) { return is_bool(dtype) || is_integral(dtype); }

/// What the JIT's shape analysis knows of a tensor.
struct ShapeFact {
  DType dtype;
  int dims;
  bool operator==(const ShapeFact&) const = default;
};

/// The JIT's shape formula of figure 3.10: what is known of the result of function(self). nullopt
/// for a function that is not registered.
constexpr std::optional<ShapeFact> shape_formula(std::string_view function, ShapeFact self,
                                                 DType default_dtype) {
  if (!is_one_of(function, kFloatingFunctions)) return std::nullopt;
  return ShapeFact{is_integral_or_bool(self.dtype) ? default_dtype : self.dtype, self.dims};
}

/// The functions whose ONNX export the thesis tests. The three of kSinceOpset9 exist only from op
/// set 9 on.
inline constexpr std::string_view kExported =
    "sin cos tan asin acos atan sinh cosh tanh ceil floor exp log log1p log2 sqrt rsqrt erf "
    "sigmoid";
inline constexpr std::string_view kSinceOpset9 = "erf sinh cosh";

}  // namespace thesis

/// The thesis's answer to a question.
/// promote_types: figure 3.7.
/// A unary function: the JIT's shape formula, which is the proposal.
/// Form::kOut and kInPlace: figure 3.6. Form::kDTypeArgument: the proposed argument.
/// The name of a strategy: what TensorIterator of 2020 answers on these operands.
constexpr Reply answer_thesis(const Question& question) {
  using namespace thesis;
  if (const std::optional<CommonDTypeStrategy> strategy = find_strategy(question.op))
    return compute_types(*strategy, question);
  if (question.op == "promote_types")
    return promote_types_as_printed(question.operands[0].dtype, question.operands[1].dtype);
  if (question.operands.size() != 1 || !is_one_of(question.op, kFloatingFunctions))
    return outside("the thesis is about unary floating functions, promoteTypes and strategies");
  const DType dtype = question.operands[0].dtype;
  if (question.form == Form::kOut || question.form == Form::kDTypeArgument)
    return is_integral_or_bool(question.out)
               ? refuses("a floating function was asked for a bool or integral dtype")
               : gives(question.out, question.form == Form::kOut ? "the output's dtype decides"
                                                                 : "the dtype= argument decides");
  if (is_integral_or_bool(dtype) && question.form == Form::kInPlace)
    return refuses("a floating function in place on a bool or integral tensor");
  const ShapeFact self{dtype, question.operands[0].dims};
  const ShapeFact result = *shape_formula(question.op, self, question.default_dtype);
  Reply reply =
      gives(result.dtype,
            "scalar type: promoted to floating if integral or boolean, else preserved; dims kept");
  reply.dims = result.dims;
  return reply;
}

/// What the thesis says of ONNX export. For a PyTorch function ("sin"): the dtype of its result,
/// after the Cast that the exporter puts before it. For an op of ONNX itself ("onnx.sin"): whether
/// it takes the dtype, or needs a Cast first.
constexpr Reply answer_thesis_onnx(const Question& question) {
  using namespace thesis;
  if (question.operands.size() != 1)
    return outside("the rule book is about the export of unary functions");
  constexpr std::string_view kPrefix = "onnx.";
  const bool is_schema = question.op.starts_with(kPrefix);
  const std::string_view op = is_schema ? question.op.substr(kPrefix.size()) : question.op;
  if (!is_one_of(op, kExported)) return outside("not among the 19 exported functions");
  if (question.opset < 9 && is_one_of(op, kSinceOpset9))
    return refuses("the op is there from opset 9 on");
  const DType dtype = question.operands[0].dtype;
  if (!is_integral_or_bool(dtype)) return gives(dtype, "a floating input goes in as it is");
  constexpr std::string_view kCast = "a Cast to the default dtype comes first";
  return is_schema ? refuses(kCast) : gives(question.default_dtype, kCast);
}

/// What the thesis says of NumPy's unary functions in table 3.1.
constexpr Reply answer_thesis_numpy(const Question& question) {
  if (question.operands.size() != 1) return outside("table 3.1 is about unary functions");
  const std::string_view op = question.op;
  const DType dtype = question.operands[0].dtype;
  const bool boolean = is_bool(dtype);
  if (is_floating(dtype)) return outside("table 3.1 is about bool and integers");
  if (is_one_of(op, "abs real imag bitwise_not clamp neg"))
    return gives(dtype, "Type 0: no upcasting");
  if (is_one_of(op, "ceil expm1 floor log log10 log1p log2 sin sinh sqrt trunc atan cos tan")) {
    const DType wide = boolean || dtype == DType::kInt8 ? DType::kFloat16
                       : dtype == DType::kInt16         ? DType::kFloat32
                                                        : DType::kFloat64;
    return gives(wide, "Type 1: a float by the integer's width");
  }
  if (op == "angle") return gives(DType::kFloat64, "Type 2: float64");
  if (is_one_of(op, "conj reciprocal square"))
    return gives(boolean ? DType::kInt8 : dtype, "Type 3: bool becomes int8");
  if (op == "round")
    return gives(boolean ? DType::kFloat16 : dtype, "Type 4: bool becomes float16");
  return outside("not in table 3.1");
}

/// What the thesis says of the unary functions of jax.numpy, in four categories (32-bit mode).
constexpr Reply answer_thesis_jax(const Question& question) {
  if (question.operands.size() != 1) return outside("the categories are about unary functions");
  if (question.operands[0].rank == Rank::kWeak) return outside("the categories know no weak types");
  const std::string_view op = question.op;
  const DType dtype = question.operands[0].dtype;
  if (is_one_of(op, "logical_not isfinite isinf isnan")) return gives(DType::kBool, "AllToBool");
  if (is_one_of(op, "imag neg abs sign square bitwise_not"))
    return gives(dtype == DType::kInt64 ? DType::kInt32 : dtype, "AllSame but int64 to int32");
  if (is_one_of(op, "real conj round")) return gives(dtype, "AllSame");
  if (is_one_of(
          op,
          "angle exp log log2 log10 expm1 log1p sqrt reciprocal sin cos tan acos atan sinh cosh "
          "tanh floor ceil"))
    return gives(DType::kFloat32, "AllToFloat32");
  if (is_one_of(op, "trunc modf")) return refuses("not yet implemented in jax.numpy");
  return outside("in none of the four categories");
}

inline constexpr RuleBook kThesis{
    "thesis",
    "PyTorch of 2020, a thesis's table and proposals",
    "2020",
    "thesis, chapters 3 and 4",
    thesis::kDTypes | DTypeSet{DType::kQInt8, DType::kQUInt8, DType::kQInt32},
    &answer_thesis,
    &thesis::part_of_strategy,
    true};
inline constexpr RuleBook kThesisOnnx{"thesis-onnx",  "ONNX export, the thesis's casts",
                                      "opset 9",      "thesis, figures 3.8 and 3.9",
                                      thesis::kReals, &answer_thesis_onnx};
inline constexpr RuleBook kThesisNumpy{
    "thesis-numpy",
    "NumPy's unary functions, the thesis's table 3.1",
    "February 2020",
    "thesis, table 3.1",
    DTypeSet{DType::kBool, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64},
    &answer_thesis_numpy};
inline constexpr RuleBook kThesisJax{
    "thesis-jax",
    "jax.numpy's unary functions, the thesis's categories",
    "2020",
    "thesis, section 4.2",
    DTypeSet{DType::kBool, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64},
    &answer_thesis_jax};

}  // namespace upcast::rulebooks
