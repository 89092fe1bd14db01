// From a call to its plan: everything that TensorIterator::build does, the op's rules in between.
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
  /// If written memory is shared, results show that TensorIterator on the CPU copies inputs to the
  /// common dtype first: these are the copies. Undefined: the loops convert.
  std::array<Tensor, kMaxInputs> converted_inputs;  // to be filled before the loops
  Tensor converted_output;                          // to be copied to outputs[0] after them
  IteratorPlan plan;
};

/// In order: operand checks, geometry (overlap, shape, resizing), dtypes, devices, outputs, loops.
/// Refusals as LibTorch's; one for a result that the engine's memory cannot hold too.
std::optional<Rejection> plan_call(const Op& op, const Call& call, CallPlan& planned,
                                   Engine& engine);

}  // namespace upcast
