// The CPU engine: operands are converted a tile at a time into buffers that fit the L1 cache, the
// op runs over the buffers, the result is converted out. So an op is compiled once a compute dtype,
// never a pair. An operand that lies densely in the compute dtype is used where it is.
#pragma once

#include "impl/cpu/cpu_settings.h"
#include "impl/ops/engine.h"

namespace upcast {

class CpuEngine : public Engine {
 public:
  explicit CpuEngine(CpuSettings settings = {}) : settings_(settings) {}
  Memory& memory() override { return host_memory(); }
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override;

 private:
  CpuSettings settings_;
};

}  // namespace upcast
