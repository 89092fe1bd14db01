#include "cases/grid_rows.h"

#include "cases/attribute_values.h"

namespace upcast::internal {

void append(std::vector<Operand>& axis, const std::vector<Operand>& more) {
  axis.insert(axis.end(), more.begin(), more.end());
}

GridRow start_row(const Op& op, int overload, Form form) {
  GridRow row{.prototype = case_of({&op, overload, form})};
  if (form == Form::kOut && op.output_count() > 1)  // an empty out= is resized without a warning
    row.prototype.second_out = tensor(DType::kInt32, {0});
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
    std::vector<Operand> values = plain_values(callable.op, parameters[i]);
    if (values.size() > 1) values.resize(1);
    set_axis(row, static_cast<int>(i), std::move(values));
  }
  return row;
}

}  // namespace upcast::internal
