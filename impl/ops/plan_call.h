// From a call to its plan: what TensorIterator::build does, with the op's own rules between its
// steps.
#pragma once

#include "impl/iterator/plan.h"
#include "impl/ops/engine.h"
#include "impl/ops/operands.h"

namespace upcast {

/// A call while it is planned. The iteration points into it, so it must not be moved.
struct CallPlan {
  CallPlan() = default;
  CallPlan(const CallPlan&) = delete;
  CallPlan& operator=(const CallPlan&) = delete;

  CallOperands operands;
  Iteration iteration;
  Promoted promoted;
  std::array<Tensor, kMaxOutputs> outputs;  // given, or allocated
  /// Copies of inputs in the common dtype, to be filled before the loops. TensorIterator on the CPU
  /// makes them if written memory is shared, as results show. Undefined: the loops convert.
  std::array<Tensor, kMaxInputs> converted_inputs;  // to be filled before the loops
  Tensor converted_output;                          // to be copied to outputs[0] after the loops
  IteratorPlan plan;
};

/// Plans a call. In order: operand checks, geometry (overlap, shape, resizing), dtypes, devices,
/// outputs, loops. Refuses as LibTorch does, and also a result that the engine's memory cannot
/// hold.
std::optional<Rejection> plan_call(const Op& op, const Call& call, CallPlan& planned,
                                   Engine& engine);

}  // namespace upcast
