// Plans a GPU's calls without a GPU, and counts the bytes that they would move.
#pragma once

#include "bench/bench_call.h"
#include "bench/gpu/traffic.h"
#include "impl/ops/engine.h"

namespace upcast::bench {

/// A memory that gives out addresses for planning only; they must not be read or written.
class AddressSpace : public Memory {
 public:
  std::byte* allocate(std::size_t size) override;
  void free(std::byte*, std::size_t) override {}
  void read(const std::byte* from, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* to) override;

 private:
  std::uintptr_t next_ = 1 << 20;
};

/// An engine that plans calls over an AddressSpace, and runs none.
class PlanningEngine : public Engine {
 public:
  Memory& memory() override { return memory_; }
  Fault run(const Op&, const Call&, DType, const IteratorPlan&) override;

 private:
  AddressSpace memory_;
};

/// The bytes that one call on `engine` moves. The call's result is allocated and freed again.
Traffic traffic_of(const BenchCall& call, Engine& engine);

/// An estimate of the bytes that a case needs: its operands, and a result with elements as wide as
/// the widest operand's.
double bytes_needed(const Case& c);

}  // namespace upcast::bench
