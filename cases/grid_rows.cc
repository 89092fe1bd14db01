#include "cases/grid_rows.h"

#include "cases/attribute_values.h"

namespace upcast::internal {

using Tag = Operand::Tag;

Operand tensor(DType dtype, Dims sizes) {
  return {.tag = Tag::kTensor, .dtype = dtype, .sizes = std::move(sizes)};
}
Operand number(Number value) { return {.tag = Tag::kNumber, .number = value}; }
Operand text(std::string value) { return {.tag = Tag::kText, .text = std::move(value)}; }

std::vector<Operand> kinds_of_numbers() {
  return {number(true), number(3), number(2.5), number(Complex<double>{1, 2})};
}

std::vector<DType> dtypes_of(DTypeSet set) {
  std::vector<DType> dtypes;
  for (int code = 0; code < kDTypeCount; ++code)
    if (set.contains(dtype_from_code(code))) dtypes.push_back(dtype_from_code(code));
  return dtypes;
}

void append(std::vector<Operand>& axis, const std::vector<Operand>& more) {
  axis.insert(axis.end(), more.begin(), more.end());
}

GridRow start_row(const Op& op, int overload, Form form) {
  GridRow row;
  row.prototype.op = &op;
  row.prototype.overload = overload;
  row.prototype.form = form;
  row.prototype.arguments.resize(row.prototype.schema().parameters.size());
  if (form == Form::kOut && op.output_count() > 1)  // empty: it is resized in silence
    row.prototype.second_out = {.tag = Operand::Tag::kTensor, .dtype = DType::kInt32, .sizes = {0}};
  return row;
}

void set_axis(GridRow& row, int position, std::vector<Operand> axis) {
  if (axis.empty()) return;
  Case& c = row.prototype;
  c.operand(position) = axis.front();
  if (axis.size() == 1) return;
  row.positions.push_back(position);
  row.axes.push_back(std::move(axis));
}

bool is_tensor(const Parameter& parameter) {
  return parameter.type == ParameterType::kTensor ||
         parameter.type == ParameterType::kOptionalTensor;
}

std::vector<int> tensor_positions(const Schema& schema) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < schema.parameters.size(); ++i)
    if (is_tensor(schema.parameters[i])) positions.push_back(static_cast<int>(i));
  return positions;
}

DType GridCallable::dtype_of(int position, DType dtype) const {
  return op.spec->is_mask(parameter(position).name) ? DType::kBool : dtype;
}

DType GridCallable::out_dtype(DType dtype) const {
  return op.spec->promotion == PromotionKind::kAlwaysBool ? DType::kBool : dtype;
}

GridRow plain_row(const GridCallable& callable) {
  GridRow row = start_row(callable.op, callable.overload, callable.form);
  const std::vector<Parameter>& parameters = row.prototype.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (is_tensor(parameters[i]) || parameters[i].type == ParameterType::kDType) continue;
    std::vector<Operand> values = typing_values(callable.op, parameters[i]);
    const bool scalar = parameters[i].type == ParameterType::kScalar ||
                        parameters[i].type == ParameterType::kOptionalScalar;
    if (scalar && !values.empty()) values = {number(2)};
    if (values.size() > 1) values.resize(1);
    set_axis(row, static_cast<int>(i), std::move(values));
  }
  return row;
}

}  // namespace upcast::internal
