// A case as a call on a device, for benchmarks: the values of its operands do not matter.
#pragma once

#include <functional>
#include <vector>

#include "bench/gpu/traffic.h"
#include "cases/case.h"
#include "impl/ops/engine.h"
#include "oracle/case_call.h"

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

class DeviceCall {
 public:
  /// Puts elements into a storage that holds them densely.
  using Fill = std::function<void(Storage& storage, DType dtype)>;

  /// Tensors lie in `memory`, uninitialised where there is no `fill`; those of the case that are
  /// said to be on the CPU lie on the host, zero-filled. Throws std::bad_alloc. `memory` outlives
  /// the call.
  DeviceCall(const Case& c, Memory& memory, const Fill& fill = nullptr);
  DeviceCall(const DeviceCall&) = delete;
  DeviceCall& operator=(const DeviceCall&) = delete;

  const Case& the_case() const { return case_; }
  const Op& op() const { return *case_.op; }
  const Call& call() const { return call_; }
  /// The tensor of a parameter; not defined() where it is another argument.
  const Tensor& tensor(int position) const { return arguments_[position].tensor; }

  /// The bytes that one call on this engine moves; allocates its result and frees it.
  Traffic traffic(Engine& engine) const;

 private:
  Case case_;
  CaseCall holder_{Device::kCuda};
  std::vector<Argument> arguments_;
  Call call_;
};

/// Bytes of the operands of a case, and of its result if it is as wide as the widest of them.
double bytes_needed(const Case& c);

}  // namespace upcast::bench
