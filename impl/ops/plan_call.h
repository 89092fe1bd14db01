// Makes the plan of a call: what TensorIterator::build does, with the op's own rules between its
// steps.
#pragma once

#include "impl/iterator/plan.h"
#include "impl/ops/engine.h"
#include "impl/ops/operands.h"

namespace upcast {

/// A call and its plan. Members point to each other, so a CallPlan cannot be copied or moved.
struct CallPlan {
  CallPlan() = default;
  CallPlan(const CallPlan&) = delete;
  CallPlan& operator=(const CallPlan&) = delete;

  CallOperands operands;
  Iteration iteration;
  Promoted promoted;
  std::array<Tensor, kMaxOutputs> outputs;  // outputs that the caller gave, or allocated ones
  /// Copies of inputs in the common dtype. TensorIterator makes them on the CPU if written memory
  /// is shared, which is visible in results. If one is not defined(), the loops convert that input.
  std::array<Tensor, kMaxInputs> converted_inputs;  // copies, filled before the loops
  Tensor converted_output;                          // copied to outputs[0] after the loops
  IteratorPlan plan;
};

/// Plans a call, in this order: operand checks, geometry (overlap, shape, resizing), dtypes,
/// devices, outputs, loops. Refuses the calls that LibTorch refuses, and also a result that does
/// not fit into the engine's memory.
std::optional<Rejection> plan_call(const Op& op, const Call& call, CallPlan& planned,
                                   Engine& engine);

}  // namespace upcast
