// The CPU engine. It converts operands a tile at a time into buffers that fit the L1 cache, runs
// the op over the buffers, and converts the result. So an op is compiled once for each compute
// dtype, not for each pair of dtypes. An operand that is dense and has the compute dtype is used in
// place.
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
