#include "oracle/libtorch/boxed_call.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <utility>
#include <vector>

#include "cases/notation.h"
#include "cases/operands.h"
#include "impl/core/error.h"
#include "oracle/libtorch/convert.h"
#include "oracle/libtorch/tensor_bridge.h"

namespace upcast::libtorch {
namespace {

// The position of a parameter that LibTorch has and the case's schema has not.
constexpr int kNotInTheCase = -2;

/// Throws for an argument that no caller could pass: Python and C++ would refuse it before LibTorch
/// is asked.
[[noreturn]] void refuse_argument(const Parameter& parameter) {
  throw std::invalid_argument("argument '" + std::string(parameter.name) +
                              "' has a value of another type than the schema wants");
}

c10::IValue number_as(const Parameter& parameter, const Number& number, int position,
                      TensorBridge& bridge) {
  switch (parameter.type) {
    case ParameterType::kTensor:
    case ParameterType::kOptionalTensor:
      return bridge.wrapped_number(number, position);
    case ParameterType::kScalar:
    case ParameterType::kOptionalScalar:
      return to_scalar(number);
    case ParameterType::kInt:
      if (number.dtype() == DType::kInt64 || number.dtype() == DType::kBool)
        return to_scalar(number).toLong();
      break;
    case ParameterType::kFloat:
    case ParameterType::kOptionalFloat:
      if (!is_complex(number.dtype())) return to_scalar(number).toDouble();
      break;
    case ParameterType::kBool:
      if (number.dtype() == DType::kBool) return to_scalar(number).toBool();
      break;
    case ParameterType::kText:
    case ParameterType::kMemoryFormat:
    case ParameterType::kDType:
      break;
  }
  refuse_argument(parameter);
}

c10::IValue text_as(const Parameter& parameter, const std::string& text) {
  if (parameter.type == ParameterType::kText) return text;
  if (parameter.type == ParameterType::kMemoryFormat) {
    static constexpr std::pair<std::string_view, c10::MemoryFormat> kFormats[]{
        {"contiguous_format", c10::MemoryFormat::Contiguous},
        {"preserve_format", c10::MemoryFormat::Preserve},
        {"channels_last", c10::MemoryFormat::ChannelsLast}};
    for (const auto& [name, format] : kFormats)
      if (name == text) return static_cast<std::int64_t>(format);
  }
  refuse_argument(parameter);
}

/// Whether a call needs autograd. For tensors without gradients autograd only takes time, so it is
/// left out. It stays for undefined tensors, because it refuses them, and the kernels below it
/// would read through null.
bool needs_autograd(const Case& c) {
  if (c.form == Form::kOut && c.out.tag != Operand::Tag::kTensor) return true;
  for (const Operand& argument : c.arguments)
    if (argument.tag == Operand::Tag::kUndefined) return true;
  return false;
}

}  // namespace

struct BoxedCall::Slot {
  int position = kNotInTheCase;  // number of the case's argument, or kOutPosition
  bool written = false;
  // The value that the schema gives by default, if the case has no argument.
  std::optional<c10::IValue> otherwise;
};

struct BoxedCall::Bound {
  explicit Bound(c10::OperatorHandle op) : handle(std::move(op)) {}

  c10::OperatorHandle handle;
  std::vector<Slot> slots;
  std::vector<c10::IValue> stack;
  bool answers_dtype = false;
  bool answers_written = false;
  at::Tensor written;  // the tensor that the call writes: self of an in-place form, or out
};

BoxedCall::BoxedCall(const Op& op, int overload, Form form) {
  const std::string callable(op.callable(overload, form));
  const std::size_t dot = callable.find('.');
  const std::string name = "aten::" + callable.substr(0, dot);
  const std::string overload_name = dot == callable.npos ? "" : callable.substr(dot + 1);
  auto found = c10::Dispatcher::singleton().findSchema({name, overload_name});
  if (callable.empty() || !found) {
    missing_ = "no such op: LibTorch has no aten::" + callable;
    return;
  }
  bound_ = std::make_unique<Bound>(*found);
  const Schema& ours = op.schemas[overload];
  const c10::FunctionSchema& theirs = bound_->handle.schema();
  bound_->answers_dtype = ours.returns == "ScalarType";
  bound_->answers_written = form != Form::kFunctional;
  int next_output = kOutPosition;
  for (const c10::Argument& argument : theirs.arguments()) {
    Slot slot;
    slot.written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    if (form == Form::kOut && slot.written)
      slot.position = std::exchange(next_output, kSecondOutPosition);
    else if (const int at = ours.find(argument.name()); at >= 0)
      slot.position = at;
    if (argument.default_value()) slot.otherwise = *argument.default_value();
    if (slot.position == kNotInTheCase && !slot.otherwise)
      missing_ = "LibTorch's schema has a parameter '" + argument.name() +
                 "' that ours does not: " + toString(theirs);
    bound_->slots.push_back(std::move(slot));
  }
  bound_->stack.reserve(theirs.arguments().size() + theirs.returns().size());
}

BoxedCall::~BoxedCall() = default;

std::string BoxedCall::registered_schema() const {
  return bound_ ? toString(bound_->handle.schema()) : "";
}

void BoxedCall::push_arguments(const Case& c, TensorBridge& bridge) {
  std::vector<c10::IValue>& stack = bound_->stack;
  stack.clear();
  for (const Slot& slot : bound_->slots) {
    const bool is_out = slot.position == kOutPosition || slot.position == kSecondOutPosition;
    if (slot.position == kNotInTheCase) {
      stack.push_back(*slot.otherwise);
      continue;
    }
    const Operand& operand = c.operand(slot.position);
    static constexpr Parameter kOut{"out", ParameterType::kTensor, "", true};
    const Parameter& parameter = is_out ? kOut : c.schema().parameters[slot.position];
    switch (operand.tag) {
      case Operand::Tag::kTensor:
        if (!is_tensor(parameter)) refuse_argument(parameter);
        if (slot.written) {
          at::Tensor written = bridge.written_operand(c, slot.position);
          if (slot.position != kSecondOutPosition) bound_->written = written;
          stack.emplace_back(std::move(written));
        } else {
          stack.emplace_back(bridge.read_operand(c, slot.position));
        }
        break;
      case Operand::Tag::kNumber:
        if (slot.written) refuse_argument(parameter);
        stack.push_back(number_as(parameter, operand.number, slot.position, bridge));
        break;
      case Operand::Tag::kDType:
        if (parameter.type != ParameterType::kDType) refuse_argument(parameter);
        stack.emplace_back(static_cast<std::int64_t>(to_c10(operand.dtype)));
        break;
      case Operand::Tag::kText:
        stack.push_back(text_as(parameter, operand.text));
        break;
      case Operand::Tag::kUndefined:
        if (!is_tensor(parameter)) refuse_argument(parameter);
        stack.emplace_back(at::Tensor());
        break;
      case Operand::Tag::kNone:
        stack.emplace_back();
        break;
      case Operand::Tag::kAbsent:
        if (!slot.otherwise) refuse_argument(parameter);
        stack.push_back(*slot.otherwise);
        break;
    }
  }
}

Storages BoxedCall::storages(const Case& c, TensorBridge& bridge) const {
  Storages storages(c.arguments.size() + 2);
  for (const Slot& slot : bound_->slots) {
    if (slot.position == kNotInTheCase || c.operand(slot.position).tag != Operand::Tag::kTensor)
      continue;
    const std::size_t at = slot.position >= 0              ? static_cast<std::size_t>(slot.position)
                           : slot.position == kOutPosition ? c.arguments.size()
                                                           : c.arguments.size() + 1;
    storages[at] = bridge.storage_of(c, slot.position, slot.written);
  }
  return storages;
}

void BoxedCall::call(const Case& c, TensorBridge& bridge) {
  check(missing_.empty(), "a call that LibTorch has");
  bound_->written = at::Tensor();
  bridge.begin_call(c);
  push_arguments(c, bridge);
  std::optional<at::AutoDispatchBelowADInplaceOrView> below_autograd;
  if (!needs_autograd(c)) below_autograd.emplace();
  bound_->handle.callBoxed(&bound_->stack);
}

void BoxedCall::run(const Case& c, TensorBridge& bridge) {
  call(c, bridge);
  bound_->stack.clear();
}

void BoxedCall::answer(const Case& c, TensorBridge& bridge, Answer& answer) {
  call(c, bridge);
  answer.further.clear();
  const c10::IValue& result = bound_->stack.front();
  if (result.isTensor()) {
    const at::Tensor& tensor = result.toTensor();
    if (bound_->answers_written && !tensor.is_same(bound_->written)) {
      decline("LibTorch returned another tensor than the one it was to write", answer);
    } else if (!tensor.defined()) {
      decline("LibTorch returned an undefined tensor", answer);
    } else {
      read_tensor(tensor, answer);
      for (std::size_t i = 1; i < bound_->stack.size(); ++i) {
        if (i > answer.further.size()) answer.further.emplace_back();
        read_tensor(bound_->stack[i].toTensor(), answer.further[i - 1]);
      }
    }
  } else if (bound_->answers_dtype) {
    answer.tag = Answer::Tag::kDType;
    answer.dtype = from_c10(static_cast<c10::ScalarType>(result.toInt()));
  } else if (result.isBool()) {
    answer.tag = Answer::Tag::kTensor;
    answer.dtype = DType::kBool;
    answer.sizes.clear();
    answer.strides.clear();
    answer.bytes.assign(1, std::byte{result.toBool()});
  } else {
    decline("LibTorch returned neither a tensor nor a dtype nor a bool", answer);
  }
}

}  // namespace upcast::libtorch
