#include <array>
#include <span>

#include "cases/attribute_values.h"
#include "cases/grid_rows.h"
#include "cases/grids.h"
#include "impl/ops/op_set.h"

namespace upcast::internal {
namespace {

using Tag = Operand::Tag;

constexpr int kMaxAxesBesidesOut = 2;
constexpr std::array<DType, 4> kDefaults{DType::kFloat32, DType::kFloat64, DType::kFloat16,
                                         DType::kBFloat16};

/// Which ops, dtypes and default dtypes a promotion grid has.
struct Extent {
  OpSet ops;  // empty: all
  DTypeSet dtypes;
  std::vector<DType> defaults;
};

std::vector<Operand> tensors(DTypeSet dtypes) {
  std::vector<Operand> axis;
  for (DType dtype : dtypes.dtypes()) axis.push_back(tensor(dtype, {4}));
  for (DType dtype : dtypes.dtypes()) axis.push_back(tensor(dtype, {}));
  return axis;
}

std::vector<Operand> all_dtypes() {
  std::vector<Operand> axis;
  for (int code = 0; code < kDTypeCount; ++code)
    if (dtype_from_code(code) != DType::kUndefined)
      axis.push_back({.tag = Tag::kDType, .dtype = dtype_from_code(code)});
  return axis;
}

/// The values that a grid gives to one parameter. None if the parameter is left to its default.
std::vector<Operand> axis_of(const Op& op, const Parameter& parameter, bool written,
                             DTypeSet dtypes) {
  std::vector<Operand> axis;
  switch (parameter.type) {
    case ParameterType::kTensor:
    case ParameterType::kOptionalTensor:
      if (parameter.type == ParameterType::kOptionalTensor) axis.push_back(kNoneOperand);
      append(axis, tensors(dtypes));
      if (!written) append(axis, kinds_of_numbers());
      return axis;
    case ParameterType::kDType:
      return all_dtypes();
    default:
      return typing_values(op, parameter);
  }
}

std::vector<Operand> out_axis(DTypeSet dtypes, std::size_t other_axes) {
  if (other_axes > kMaxAxesBesidesOut) return {tensor(DType::kFloat32, {4})};
  std::vector<Operand> axis;
  for (DType dtype : dtypes.dtypes()) axis.push_back(tensor(dtype, {4}));
  return axis;
}

GridRow row_of(const Op& op, int overload, Form form, DType floating, DTypeSet dtypes) {
  GridRow row = start_row(op, overload, form);
  row.prototype.defaults.floating = floating;
  const std::vector<Parameter>& parameters = row.prototype.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool written = form == Form::kInPlace && i == 0;
    set_axis(row, static_cast<int>(i), axis_of(op, parameters[i], written, dtypes));
  }
  if (form == Form::kOut) set_axis(row, kOutPosition, out_axis(dtypes, row.axes.size()));
  return row;
}

/// The default dtypes of a row. The dtype of out= is compared with the common dtype only, whichever
/// default dtype gave it. With the default dtype float32 every common dtype can occur. So out= rows
/// of two tensors have float32 alone. In-place and out= rows of three tensors have float32 alone
/// too: their functional rows have all default dtypes.
std::span<const DType> defaults_of(const Extent& extent, const Op& op, int overload, Form form) {
  const std::size_t tensors = tensor_positions(op.schemas[overload]).size();
  const bool one =
      (tensors == 2 && form == Form::kOut) || (tensors > 2 && form != Form::kFunctional);
  return std::span(extent.defaults).first(one ? 1 : extent.defaults.size());
}

std::vector<GridRow> rows_of(const Extent& extent) {
  std::vector<GridRow> rows;
  for_each_callable([&extent, &rows](const Op& op, int overload, Form form) {
    if (!extent.ops.empty() && !extent.ops.contains(op)) return;
    for (DType floating : defaults_of(extent, op, overload, form))
      rows.push_back(row_of(op, overload, form, floating, extent.dtypes));
  });
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
