#include "cases/operands.h"

#include "impl/iterator/compute_shape.h"

namespace upcast {

using Tag = Operand::Tag;

Operand tensor(DType dtype, Dims sizes) {
  return {.tag = Tag::kTensor, .dtype = dtype, .sizes = std::move(sizes)};
}
Operand number(Number value) { return {.tag = Tag::kNumber, .number = value}; }
Operand text(std::string value) { return {.tag = Tag::kText, .text = std::move(value)}; }

bool is_tensor(const Parameter& parameter) {
  return parameter.type == ParameterType::kTensor ||
         parameter.type == ParameterType::kOptionalTensor;
}

bool is_scalar(const Parameter& parameter) {
  return parameter.type == ParameterType::kScalar ||
         parameter.type == ParameterType::kOptionalScalar;
}

std::vector<int> tensor_positions(const Schema& schema) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < schema.parameters.size(); ++i)
    if (is_tensor(schema.parameters[i])) positions.push_back(static_cast<int>(i));
  return positions;
}

std::vector<int> tensor_arguments(const Case& c) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (c.arguments[i].tag == Tag::kTensor) positions.push_back(static_cast<int>(i));
  return positions;
}

int written_position(const Case& c) {
  const std::string_view named = c.op->spec->written;
  return c.schema().find(named.empty() ? c.op->spec->operands[0] : named);
}

Case case_of(const FoundOp& callable) {
  Case c;
  c.op = callable.op;
  c.overload = callable.overload;
  c.form = callable.form;
  c.arguments.resize(c.schema().parameters.size());
  return c;
}

std::optional<Dims> broadcast_shape(const Case& c) {
  Dims shape;
  for (const Operand& argument : c.arguments)
    if (argument.tag == Tag::kTensor && !broadcast_into(shape, argument.sizes)) return std::nullopt;
  return shape;
}

void set_out(Case& c, Operand out) {
  if (c.op->output_count() > 1) c.second_out = tensor(DType::kInt32, out.sizes);
  c.out = std::move(out);
}

}  // namespace upcast
