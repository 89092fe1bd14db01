// An IteratorPlan is what TensorIterator::build yields: loops over memory. Making the plan reads
// and writes none of that memory.
#pragma once

#include <array>

#include "impl/iterator/operand.h"

namespace upcast {

struct PlanOperand {
  DType dtype = DType::kUndefined;  // kUndefined: the call left this operand out
  std::byte* data = nullptr;
  bool on_host = true;  // whether `data` is in the host's memory
  /// For an input: the dtype to which its elements are rounded before they enter the compute dtype.
  DType through = DType::kUndefined;
  Dims strides{};  // strides in bytes, one for each dimension of the plan
};

struct IteratorPlan {
  Dims sizes{};  // reordered and coalesced sizes, the fastest last; empty for a single element
  std::array<PlanOperand, kMaxOutputs> outputs{};
  std::array<PlanOperand, kMaxInputs> inputs{};
  int output_count = 0;
  int input_count = 0;
  /// Whether elements are visited one by one, in the order of the loops, so that each sees what
  /// earlier ones wrote. True if a written element may share memory with another element.
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
