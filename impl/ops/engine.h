// What runs the loops of a plan: the CPU, or a device.
#pragma once

#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"

namespace upcast {

class Engine {
 public:
  virtual ~Engine() = default;
  /// Where results are allocated. Operands lie there too; on the host those of one element may.
  virtual Memory& memory() = 0;
  /// Where a result on a device of the call is allocated; most engines have one memory.
  virtual Memory& memory_for(Device) { return memory(); }
  /// Runs an op over a plan. Raises the faults of its functor.
  virtual Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) = 0;
  /// Waits for everything that was run.
  virtual void synchronize() {}
};

}  // namespace upcast
