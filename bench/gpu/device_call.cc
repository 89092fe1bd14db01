#include "bench/gpu/device_call.h"

#include <algorithm>
#include <cstring>

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

DeviceCall::DeviceCall(const Case& c, Memory& memory, const Fill& fill) : case_(c) {
  call_ = holder_.make(case_, kPyTorchRules, nullptr);
  arguments_.assign(call_.arguments.begin(), call_.arguments.end());
  for (Argument& argument : arguments_) {
    Tensor& tensor = argument.tensor;
    if (!tensor.defined()) continue;
    const std::int64_t elements = tensor.offset + span_of(tensor.sizes, tensor.strides);
    const auto bytes = static_cast<std::size_t>(elements * itemsize(tensor.dtype));
    if (tensor.device == Device::kCpu) {
      tensor.storage = std::make_shared<Storage>(bytes);
      std::memset(tensor.storage->data(), 0, bytes);
    } else {
      tensor.storage = std::make_shared<Storage>(bytes, memory);
      if (fill) fill(*tensor.storage, tensor.dtype);
    }
  }
  call_.arguments = arguments_;
}

Traffic DeviceCall::traffic(Engine& engine) const {
  CallPlan planned;
  if (const auto refused = plan_call(op(), call_, planned, engine))
    throw UsageError("bench: a benchmark is refused: " + std::string(refused->detail));
  const std::vector<Launch> launches =
      make_launches(op(), call_, planned.promoted.common, planned.plan, DeviceModel{}, nullptr);
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
