#include "bench/gpu/planning_engine.h"

#include <algorithm>

#include "impl/core/error.h"
#include "impl/ops/plan_call.h"

namespace upcast::bench {

std::byte* AddressSpace::allocate(std::size_t size) {
  constexpr std::uintptr_t kAlignment = 512;  // as cudaMalloc
  const std::uintptr_t address = next_;
  next_ += (size + kAlignment) / kAlignment * kAlignment;
  return reinterpret_cast<std::byte*>(address);
}

void AddressSpace::read(const std::byte*, std::span<std::byte>) {
  check(false, "an address space has no bytes to read");
}
void AddressSpace::write(std::span<const std::byte>, std::byte*) {
  check(false, "an address space has no bytes to write");
}

Fault PlanningEngine::run(const Op&, const Call&, DType, const IteratorPlan&) {
  check(false, "a plan over an address space is not run");
  return {};
}

Traffic traffic_of(const BenchCall& call, Engine& engine) {
  CallPlan planned;
  if (const auto refused = plan_call(call.op(), call.call(), planned, engine))
    throw UsageError("bench: a benchmark is refused: " + std::string(refused->detail));
  const std::vector<Launch> launches = make_launches(
      call.op(), call.call(), planned.promoted.common, planned.plan, DeviceModel{}, nullptr);
  return traffic_of(planned.plan, launches);
}

double bytes_needed(const Case& c) {
  double bytes = 0, largest = 0;
  std::int64_t elements = 1;
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Operand::Tag::kTensor) continue;
    const double size = itemsize(operand.dtype);
    bytes += static_cast<double>(element_span(operand)) * size;
    largest = std::max(largest, size);
    elements = std::max(elements, element_count(operand));
  }
  return bytes + static_cast<double>(elements) * largest;
}

}  // namespace upcast::bench
