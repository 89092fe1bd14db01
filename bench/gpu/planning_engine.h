// What a call on a GPU moves, planned without one.
#pragma once

#include "bench/bench_call.h"
#include "bench/gpu/traffic.h"
#include "impl/ops/engine.h"

namespace upcast::bench {

/// Addresses for planning only; they must not be read or written.
class AddressSpace : public Memory {
 public:
  std::byte* allocate(std::size_t size) override;
  void free(std::byte*, std::size_t) override {}
  void read(const std::byte* from, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* to) override;

 private:
  std::uintptr_t next_ = 1 << 20;
};

/// Plans calls over an AddressSpace, and runs none.
class PlanningEngine : public Engine {
 public:
  Memory& memory() override { return memory_; }
  Fault run(const Op&, const Call&, DType, const IteratorPlan&) override;

 private:
  AddressSpace memory_;
};

/// The bytes that one call on this engine moves; allocates its result and frees it.
Traffic traffic_of(const BenchCall& call, Engine& engine);

/// Bytes of the operands of a case, and of its result if it is as wide as the widest of them.
double bytes_needed(const Case& c);

}  // namespace upcast::bench
