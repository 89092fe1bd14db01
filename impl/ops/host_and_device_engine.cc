#include "impl/ops/host_and_device_engine.h"

#include <vector>

namespace upcast {
namespace {

bool lies_on_both(const IteratorPlan& plan) {
  bool host = false, device = false;
  for_each_operand(plan,
                   [&](const PlanOperand& operand) { (operand.on_host ? host : device) = true; });
  return host && device;
}

/// How many bytes an operand occupies, from its first element to the end of its last, gaps
/// included; 0 if it is absent.
std::size_t bytes_spanned(const IteratorPlan& plan, const PlanOperand& operand) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < plan.sizes.size(); ++d) {
    if (plan.sizes[d] == 0) return 0;
    last += (plan.sizes[d] - 1) * operand.strides[d];
  }
  return static_cast<std::size_t>(last + itemsize(operand.dtype));
}

}  // namespace

Memory& HostAndDeviceEngine::memory_for(Device device) {
  return device == Device::kCuda ? device_.memory() : host_.memory();
}

Fault HostAndDeviceEngine::run(const Op& op, const Call& call, DType common,
                               const IteratorPlan& plan) {
  if (op.spec->cpu_scalars == CpuScalars::kAnyDevice && lies_on_both(plan))
    return run_on_copies(op, call, common, plan);
  return (plan.outputs[0].on_host ? host_ : device_).run(op, call, common, plan);
}

Fault HostAndDeviceEngine::run_on_copies(const Op& op, const Call& call, DType common,
                                         IteratorPlan plan) {
  std::vector<std::vector<std::byte>> fetched;
  fetched.reserve(kMaxOutputs + kMaxInputs);  // must not grow: the plan points into it
  const auto fetch = [&](PlanOperand& operand) {
    std::vector<std::byte>& bytes = fetched.emplace_back(bytes_spanned(plan, operand));
    device_.memory().read(operand.data, bytes);
    operand.data = bytes.data();
    operand.on_host = true;
  };
  const IteratorPlan given = plan;
  for_each_operand(plan, [&](PlanOperand& operand) {
    if (!operand.on_host) fetch(operand);
  });
  const Fault fault = host_.run(op, call, common, plan);
  for (int i = 0; i < plan.output_count; ++i)
    if (!given.outputs[i].on_host)
      device_.memory().write({plan.outputs[i].data, bytes_spanned(given, given.outputs[i])},
                             given.outputs[i].data);
  return fault;
}

}  // namespace upcast
