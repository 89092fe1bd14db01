// An engine runs the loops of a plan, on the CPU or on a device.
#pragma once

#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"

namespace upcast {

class Engine {
 public:
  virtual ~Engine() = default;
  /// The memory where results are allocated. Operands must lie in it too; only operands of one
  /// element may lie on the host.
  virtual Memory& memory() = 0;
  /// The memory for a result on the given device. Most engines have only one memory.
  virtual Memory& memory_for(Device) { return memory(); }
  /// Runs an op over a plan. Returns the fault that the functor raised.
  virtual Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) = 0;
  /// Waits until everything that run() has started is finished.
  virtual void synchronize() {}
};

}  // namespace upcast
