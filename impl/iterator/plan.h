// An IteratorPlan is what TensorIterator::build yields: loops over memory that nobody has touched
// yet.
#pragma once

#include <array>

#include "impl/iterator/compute_shape.h"

namespace upcast {

struct PlanOperand {
  DType dtype = DType::kUndefined;  // kUndefined: the call left this operand out
  std::byte* data = nullptr;
  Dims strides{};  // bytes, one for each dimension of the plan
};

template <int MaxInputs>
struct IteratorPlan {
  Dims sizes{};
  PlanOperand output{};
  std::array<PlanOperand, MaxInputs> inputs{};
  int input_count = 0;
};

/// An operand as the plan's shape sees it.
inline PlanOperand plan_operand(const Tensor& tensor, const Dims& shape) {
  PlanOperand operand{.dtype = tensor.dtype, .data = tensor.data()};
  operand.strides = broadcast_strides(tensor, shape);
  for (std::int64_t& stride : operand.strides) stride *= itemsize(tensor.dtype);
  return operand;
}

}  // namespace upcast
