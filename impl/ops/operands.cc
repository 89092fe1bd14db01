#include "impl/ops/operands.h"

#include "impl/ops/wrapped_tensor.h"

namespace upcast {
void gather_operands(const Op& op, const Call& call, CallOperands& operands) {
  for (const std::string_view name : op.spec->operands) {
    if (name.empty()) break;
    const Argument& argument = call.argument(name);
    const int i = operands.count++;
    if (argument.tag == Argument::Tag::kNumber) {
      operands.numbers[i] = wrapped_tensor(argument.number);
      operands.tensors[i] = &operands.numbers[i];
    } else {
      operands.tensors[i] = &argument.tensor;
    }
  }
}

const Tensor& written_tensor(const Op& op, const Call& call) {
  const std::string_view named = op.spec->written;
  return call.argument(named.empty() ? op.spec->operands[0] : named).tensor;
}

}  // namespace upcast
