#include "impl/iterator/check_devices.h"

namespace upcast {
namespace {

Device common_device(const Iteration& iteration) {
  for (const IteratorOperand& operand : iteration.operands())
    if (operand.defined() && operand.tensor->device != Device::kCpu) return operand.tensor->device;
  return Device::kCpu;
}

bool is_cpu_scalar(const IteratorOperand& operand) {
  return !operand.is_output && operand.tensor->device == Device::kCpu &&
         operand.tensor->sizes.empty();
}

}  // namespace

std::optional<Rejection> check_devices(Iteration& iteration) {
  iteration.device = common_device(iteration);
  const CpuScalars allowed = iteration.config.cpu_scalars;
  int scalars = 0;
  for (const IteratorOperand& operand : iteration.operands()) {
    if (!operand.defined() || operand.tensor->device == iteration.device) continue;
    if (allowed == CpuScalars::kAnyDevice) {
      if (!operand.is_output || iteration.device != Device::kMeta) continue;
      return Rejection{RejectionCode::kDeviceMismatch, "the meta device has nothing to copy"};
    }
    if (allowed == CpuScalars::kNone || !is_cpu_scalar(operand))
      return Rejection{RejectionCode::kDeviceMismatch, "the operands are on two devices"};
    if (++scalars > 1 && allowed == CpuScalars::kOne)
      return Rejection{RejectionCode::kDeviceMismatch, "more than one number from the CPU"};
  }
  return std::nullopt;
}

}  // namespace upcast
