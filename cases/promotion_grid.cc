#include "cases/promotion_grid.h"

#include <algorithm>
#include <array>

#include "impl/core/error.h"

namespace upcast::internal {
namespace {

using Tag = Operand::Tag;

constexpr int kMaxAxesBesideOut = 2;
constexpr std::array<DType, 4> kDefaults{DType::kFloat32, DType::kFloat64, DType::kFloat16,
                                         DType::kBFloat16};

/// What a grid takes from the catalogue and from the dtypes.
struct Extent {
  std::vector<std::string_view> ops;  // empty: all
  DTypeSet dtypes;
  std::vector<DType> defaults;
};

Operand tensor(DType dtype, Dims sizes) {
  return {.tag = Tag::kTensor, .dtype = dtype, .sizes = std::move(sizes)};
}
Operand number(Number value) { return {.tag = Tag::kNumber, .number = value}; }
Operand text(std::string value) { return {.tag = Tag::kText, .text = std::move(value)}; }
const Operand kNoneOperand{.tag = Tag::kNone};

/// Attributes that are needed, or that choose between rules; by op and parameter ("" is any op).
struct AttributeRow {
  std::string_view op, parameter;
  std::vector<Operand> values;
};
const std::vector<AttributeRow>& attributes() {
  static const std::vector<AttributeRow> rows{
      {"div", "rounding_mode", {kNoneOperand, text("trunc"), text("floor")}},
      {"", "reduction", {number(0)}},  // Mean and Sum are not elementwise
      {"poisson_nll_loss", "log_input", {number(true), number(false)}},
      {"poisson_nll_loss", "full", {number(false)}},
      {"poisson_nll_loss", "eps", {number(1e-8)}},
      {"polygamma", "n", {number(0), number(1), number(3)}},
      {"mvlgamma", "p", {number(1), number(3)}},
  };
  return rows;
}

std::vector<Operand> numbers() {
  return {number(true), number(3), number(2.5), number(Complex<double>{1, 2})};
}

void append(std::vector<Operand>& axis, const std::vector<Operand>& more) {
  axis.insert(axis.end(), more.begin(), more.end());
}

std::vector<DType> dtypes_of(DTypeSet set) {
  std::vector<DType> dtypes;
  for (int code = 0; code < kDTypeCount; ++code)
    if (set.contains(dtype_from_code(code))) dtypes.push_back(dtype_from_code(code));
  return dtypes;
}

std::vector<Operand> tensors(DTypeSet dtypes) {
  std::vector<Operand> axis;
  for (DType dtype : dtypes_of(dtypes)) axis.push_back(tensor(dtype, {4}));
  for (DType dtype : dtypes_of(dtypes)) axis.push_back(tensor(dtype, {}));
  return axis;
}

std::vector<Operand> all_dtypes() {
  std::vector<Operand> axis;
  for (int code = 0; code < kDTypeCount; ++code)
    if (dtype_from_code(code) != DType::kUndefined)
      axis.push_back({.tag = Tag::kDType, .dtype = dtype_from_code(code)});
  return axis;
}

/// The values of one parameter; none where it is left to its default.
std::vector<Operand> axis_of(const Op& op, const Parameter& parameter, bool written,
                             DTypeSet dtypes) {
  for (const AttributeRow& row : attributes())
    if (row.parameter == parameter.name && (row.op.empty() || row.op == op.spec->name))
      return row.values;
  std::vector<Operand> axis;
  switch (parameter.type) {
    case ParameterType::kTensor:
    case ParameterType::kOptionalTensor:
      if (parameter.type == ParameterType::kOptionalTensor) axis.push_back(kNoneOperand);
      append(axis, tensors(dtypes));
      if (!written) append(axis, numbers());
      return axis;
    case ParameterType::kScalar:
      if (parameter.default_text.empty()) axis = numbers();
      return axis;
    case ParameterType::kOptionalScalar:
      axis.push_back(kNoneOperand);
      append(axis, numbers());
      return axis;
    case ParameterType::kDType:
      return all_dtypes();
    default:
      check(!parameter.default_text.empty(), "the promotion grid has no value for an attribute");
      return axis;
  }
}

std::vector<Operand> out_axis(DTypeSet dtypes, std::size_t axes_beside) {
  if (axes_beside > kMaxAxesBesideOut) return {tensor(DType::kFloat32, {4})};
  std::vector<Operand> axis;
  for (DType dtype : dtypes_of(dtypes)) axis.push_back(tensor(dtype, {4}));
  return axis;
}

GridRow row_of(const Op& op, int overload, Form form, DType floating, DTypeSet dtypes) {
  GridRow row;
  Case& c = row.prototype;
  c.op = &op;
  c.overload = overload;
  c.form = form;
  c.defaults.floating = floating;
  const std::vector<Parameter>& parameters = c.schema().parameters;
  c.arguments.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool written = form == Form::kInPlace && i == 0;
    std::vector<Operand> axis = axis_of(op, parameters[i], written, dtypes);
    if (axis.empty()) continue;
    c.arguments[i] = axis.front();
    if (axis.size() == 1) continue;
    row.positions.push_back(static_cast<int>(i));
    row.axes.push_back(std::move(axis));
  }
  if (form == Form::kOut) {
    std::vector<Operand> axis = out_axis(dtypes, row.axes.size());
    c.out = axis.front();
    if (axis.size() > 1) {
      row.positions.push_back(kOutPosition);
      row.axes.push_back(std::move(axis));
    }
  }
  return row;
}

std::vector<GridRow> rows_of(const Extent& extent) {
  std::vector<GridRow> rows;
  for (const Op& op : catalogue()) {
    const auto& ops = extent.ops;
    if (!ops.empty() && std::find(ops.begin(), ops.end(), op.spec->name) == ops.end()) continue;
    for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload)
      for (Form form : {Form::kFunctional, Form::kInPlace, Form::kOut})
        if (!op.callable(overload, form).empty())
          for (DType floating : extent.defaults)
            rows.push_back(row_of(op, overload, form, floating, extent.dtypes));
  }
  return rows;
}

}  // namespace

std::vector<GridRow> promotion_rows() {
  return rows_of(
      {.ops = {}, .dtypes = kElementwise, .defaults = {kDefaults.begin(), kDefaults.end()}});
}

std::vector<GridRow> smoke_rows() {
  return rows_of({.ops = {"add", "div", "lt", "pow", "where", "neg", "sqrt", "result_type"},
                  .dtypes = {DType::kBool, DType::kUInt8, DType::kInt32, DType::kUInt16,
                             DType::kFloat16, DType::kFloat32, DType::kComplex64},
                  .defaults = {DType::kFloat32}});
}

}  // namespace upcast::internal
