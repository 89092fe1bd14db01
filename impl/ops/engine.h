// An engine runs the loops of a plan: on the CPU, or on a device.
#pragma once

#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"

namespace upcast {

class Engine {
 public:
  virtual ~Engine() = default;
  /// The memory where results are allocated. Operands lie there too; those of one element may lie
  /// on the host.
  virtual Memory& memory() = 0;
  /// The memory for a result on a device of the call. Most engines have one memory only.
  virtual Memory& memory_for(Device) { return memory(); }
  /// Runs an op over a plan. Raises the faults of its functor.
  virtual Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) = 0;
  /// Blocks until all that run() started has ended.
  virtual void synchronize() {}
};

}  // namespace upcast
