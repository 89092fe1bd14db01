#include "impl/ops/gpu_operands.h"

#include <algorithm>

namespace upcast {
namespace {

bool takes_tensors(const Parameter& parameter) {
  return parameter.type == ParameterType::kTensor ||
         parameter.type == ParameterType::kOptionalTensor;
}

bool lies_on_cuda(const Argument& argument) {
  return argument.tag == Argument::Tag::kTensor && argument.tensor.device == Device::kCuda;
}

/// Whether an argument is a tensor on the CPU, or a number that stands for a tensor.
bool lies_on_cpu(const Argument& argument) {
  return argument.tag == Argument::Tag::kNumber ||
         (argument.tag == Argument::Tag::kTensor && argument.tensor.device == Device::kCpu);
}

}  // namespace

std::optional<Rejection> check_gpu_operands(const Op& op, const Call& call) {
  const GpuScalars& allowed = op.spec->gpu_scalars;
  const std::uint8_t bits = call.form == Form::kOut ? allowed.bits_of_out : allowed.bits;
  if (bits == 0xff || std::none_of(call.arguments.begin(), call.arguments.end(), lies_on_cuda))
    return std::nullopt;
  for (std::size_t i = 0; i < op.spec->operands.size(); ++i) {
    const std::string_view name = op.spec->operands[i];
    const int position = name.empty() ? -1 : call.schema->find(name);
    if (position < 0 || (bits >> i & 1) != 0 || !takes_tensors(call.schema->parameters[position]))
      continue;
    if (lies_on_cpu(call.arguments[position]))
      return Rejection{RejectionCode::kHostOperand,
                       "a kernel of the GPU needs all tensors on the GPU"};
  }
  return std::nullopt;
}

}  // namespace upcast
