// An IteratorPlan is what TensorIterator::build yields: loops over memory, which it has not read or
// written yet.
#pragma once

#include <array>

#include "impl/iterator/operand.h"

namespace upcast {

struct PlanOperand {
  DType dtype = DType::kUndefined;  // kUndefined: the call left this operand out
  std::byte* data = nullptr;
  bool on_host = true;  // where the data is
  /// For an input: the dtype that its elements are rounded to before the compute dtype.
  DType through = DType::kUndefined;
  Dims strides{};  // bytes, one for each dimension of the plan
};

struct IteratorPlan {
  Dims sizes{};  // reordered and coalesced, the fastest dimension last; none for a single element
  std::array<PlanOperand, kMaxOutputs> outputs{};
  std::array<PlanOperand, kMaxInputs> inputs{};
  int output_count = 0;
  int input_count = 0;
  /// Whether elements are visited one by one, in the order of the loops, so that each sees what
  /// those before it wrote. It is set if written memory may also hold another element.
  bool in_order = false;
};

/// Calls f(operand) for each operand that the call has, outputs first.
template <class Plan, class F>
void for_each_operand(Plan& plan, F&& f) {
  for (int i = 0; i < plan.output_count; ++i) f(plan.outputs[i]);
  for (int i = 0; i < plan.input_count; ++i)
    if (plan.inputs[i].dtype != DType::kUndefined) f(plan.inputs[i]);
}

}  // namespace upcast
