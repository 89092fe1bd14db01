#include "oracle/case_call.h"

#include <algorithm>
#include <cstring>

#include "cases/grid.h"
#include "cases/values.h"
#include "impl/iterator/compute_shape.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {

namespace {

/// How many bytes of storage an operand needs, together with the operands that share its storage.
std::size_t storage_bytes(const Case& c, int position, const Operand& operand) {
  std::int64_t span = element_span(operand);
  for (const Operand& argument : c.arguments)
    if (position >= 0 && argument.shares == position) span = std::max(span, element_span(argument));
  if (position >= 0 && c.out.shares == position) span = std::max(span, element_span(c.out));
  return static_cast<std::size_t>(span * itemsize(operand.dtype));
}

}  // namespace

bool on_gpu(const Case& c, Device device) {
  return device == Device::kCuda || uses_device(c, Device::kCuda);
}

Tensor CaseCall::make_operand(const Case& c, int position, const Operand& operand,
                              Memory* memory) const {
  Tensor tensor{.dtype = operand.dtype, .sizes = operand.sizes};
  tensor.device = device_of(c, operand, device_);
  tensor.strides = operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  tensor.offset = operand.offset;
  if (operand.shares != kOwnStorage) {
    tensor.storage = arguments_[operand.shares].tensor.storage;
    tensor.device = arguments_[operand.shares].tensor.device;
    return tensor;
  }
  if (memory == nullptr) return tensor;
  if (tensor.device == Device::kMeta) {
    tensor.storage = std::make_shared<Storage>(0);
    return tensor;
  }
  // a tensor on the CPU in a call on a GPU keeps its bytes in host memory
  if (tensor.device == Device::kCpu && on_gpu(c, device_)) memory = &host_memory();
  const std::vector<std::byte> bytes = operand_values(c, position);
  const std::size_t needed = storage_bytes(c, position, operand);
  if (operand.strides.empty() && operand.offset == 0 && needed == bytes.size()) {
    tensor.storage = std::make_shared<Storage>(bytes, *memory);
    return tensor;
  }
  tensor.storage = std::make_shared<Storage>(needed);
  std::memset(tensor.storage->data(), 0, needed);
  scatter(bytes, tensor);
  return copy_to(tensor, *memory);
}

const Call& CaseCall::make(const Case& c, const Rules& rules, Memory* memory) {
  arguments_.resize(c.arguments.size());
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Operand& operand = c.arguments[i];
    Argument& argument = arguments_[i];
    argument = Argument{};
    switch (operand.tag) {
      case Operand::Tag::kTensor:
        argument.tag = Argument::Tag::kTensor;
        argument.tensor = make_operand(c, static_cast<int>(i), operand, memory);
        break;
      case Operand::Tag::kNumber:
        argument.tag = Argument::Tag::kNumber;
        argument.number = operand.number;
        break;
      case Operand::Tag::kDType:
        argument.tag = Argument::Tag::kDType;
        argument.dtype = operand.dtype;
        break;
      case Operand::Tag::kText:
        argument.tag = Argument::Tag::kText;
        argument.text = operand.text;
        break;
      case Operand::Tag::kUndefined:
      case Operand::Tag::kAbsent:
      case Operand::Tag::kNone:
        break;
    }
  }
  call_ = Call{.schema = &c.schema(), .form = c.form, .arguments = arguments_};
  call_.defaults = c.defaults;
  call_.rules = &rules;
  if (c.form == Form::kOut) {
    out_ = make_operand(c, kOutPosition, c.out, memory);
    call_.out = &out_;
    if (c.second_out.tag == Operand::Tag::kTensor) {
      second_out_ = make_operand(c, kSecondOutPosition, c.second_out, memory);
      call_.second_out = &second_out_;
    }
  }
  return call_;
}

std::vector<std::byte> broadcast_values(const Case& c, int position, const Dims& shape) {
  CaseCall maker;
  const Argument& argument = maker.make(c).arguments[position];
  if (argument.tag == Argument::Tag::kAbsent) return {};
  Tensor tensor = operand_tensor(argument);
  Dims merged = shape;
  if (!tensor.defined() || tensor.device == Device::kMeta) return {};
  if (!broadcast_into(merged, tensor.sizes) || merged != shape) return {};
  tensor.strides = broadcast_strides(tensor.sizes, tensor.strides, shape);
  tensor.sizes = shape;
  return logical_bytes(tensor);
}

std::vector<Tensor> CaseCall::tensors() const {
  std::vector<Tensor> tensors;
  for (const Argument& argument : arguments_) tensors.push_back(argument.tensor);
  tensors.push_back(call_.out == nullptr ? Tensor{} : out_);
  tensors.push_back(call_.second_out == nullptr ? Tensor{} : second_out_);
  return tensors;
}

std::string_view why_not_elementwise(const Case& c) {
  const int position = c.schema().find("reduction");
  if (position < 0) return "";
  const Operand& reduction = c.arguments[static_cast<std::size_t>(position)];
  const bool is_none = reduction.tag == Operand::Tag::kNumber && reduction.number == Number(0);
  return is_none ? "" : "a loss is elementwise only without reduction: write reduction=0";
}

Outcome<Promoted> promote_case(const Case& c) {
  CaseCall call;
  return promote_call(*c.op, call.make(c, kPyTorchRules, nullptr));
}

}  // namespace upcast
