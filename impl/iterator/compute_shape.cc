#include "impl/iterator/compute_shape.h"

namespace upcast {

bool broadcast_into(Dims& merged, const Dims& shape) {
  if (shape.size() > merged.size()) merged.insert(merged.begin(), shape.size() - merged.size(), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t& size = merged[merged.size() - 1 - i];
    const std::int64_t other = shape[shape.size() - 1 - i];
    if (size == 1)
      size = other;
    else if (other != 1 && other != size)
      return false;
  }
  return true;
}

Dims broadcast_strides(const Dims& sizes, const Dims& strides, const Dims& shape) {
  Dims result(shape.size(), 0);
  const std::size_t missing = shape.size() - sizes.size();
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1 || shape[missing + d] == 1) result[missing + d] = strides[d];
  return result;
}

std::optional<Rejection> compute_shape(Iteration& iteration) {
  bool scalars = false;
  bool tensors = false;
  for (const IteratorOperand& operand : iteration.operands()) {
    if (!operand.defined() || (operand.is_output && iteration.config.resize_outputs)) continue;
    const Dims& sizes = operand.tensor->sizes;
    (sizes.empty() ? scalars : tensors) = true;
    if (sizes == iteration.shape) continue;
    if (!iteration.shape.empty()) iteration.all_same_shape = false;
    if (!broadcast_into(iteration.shape, sizes))
      return Rejection{RejectionCode::kShapeMismatch,
                       "sizes differ at a dimension where neither is 1"};
  }
  if (scalars && tensors) iteration.all_same_shape = false;
  return std::nullopt;
}

std::optional<Rejection> mark_resized_outputs(Iteration& iteration) {
  for (IteratorOperand& output : iteration.outputs()) {
    if (!output.defined() || output.tensor->sizes == iteration.shape) continue;
    if (!iteration.config.resize_outputs || output.read_write)
      return Rejection{RejectionCode::kShapeMismatch,
                       "the broadcast shape is not that of the output, which cannot be resized"};
    output.will_resize = true;
  }
  return std::nullopt;
}

}  // namespace upcast
