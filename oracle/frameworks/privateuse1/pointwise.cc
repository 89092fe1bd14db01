// Registers every op of our catalogue for the device, through one boxed function that looks at the
// schema.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <array>

#include "impl/core/error.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/frameworks/privateuse1/calls.h"
#include "oracle/frameworks/privateuse1/device.h"
#include "oracle/libtorch/convert.h"

namespace upcast::device {
namespace {

constexpr std::array kMemoryFormats{"contiguous_format", "preserve_format", "channels_last"};

Number number_of(const c10::Scalar& scalar) {
  if (scalar.isBoolean()) return scalar.toBool();
  if (scalar.isComplex()) {
    const auto value = scalar.toComplexDouble();
    return Complex<double>{value.real(), value.imag()};
  }
  if (scalar.isFloatingPoint()) return scalar.toDouble();
  return scalar.type() == c10::ScalarType::UInt64 ? Number(scalar.toUInt64())
                                                  : Number(scalar.toLong());
}

std::string_view memory_format_of(std::int64_t format) {
  switch (static_cast<c10::MemoryFormat>(format)) {
    case c10::MemoryFormat::Contiguous:
      return kMemoryFormats[0];
    case c10::MemoryFormat::Preserve:
      return kMemoryFormats[1];
    case c10::MemoryFormat::ChannelsLast:
      return kMemoryFormats[2];
    default:
      TORCH_CHECK(false, "the device upcast does not support this memory format");
  }
}

/// The argument of our call that stands for an at::Tensor. The tensor must lie on the device. Only
/// a number, or a zero-dim operand that the call does not write, may lie on the CPU.
Argument tensor_argument(const at::Tensor& tensor, bool written) {
  if (!tensor.defined()) return {};
  if (tensor.is_conj() || tensor.is_neg()) {
    TORCH_CHECK(!written, "the device upcast cannot write to conjugate views");
    return tensor_argument(tensor.resolve_conj().resolve_neg(), written);
  }
  TORCH_CHECK(on_device(tensor) || (tensor.dim() == 0 && tensor.is_cpu() && !written),
              "Expected all tensors to be on the same device, but found at least two devices, ",
              kDevice, " and ", tensor.device());
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number())
    return {.tag = Argument::Tag::kNumber, .number = number_of(tensor.item())};
  return {.tag = Argument::Tag::kTensor, .tensor = to_ours(tensor)};
}

Argument argument_of(const c10::IValue& value, ParameterType type, bool written) {
  if (value.isNone()) return {};
  if (value.isTensor()) return tensor_argument(value.toTensor(), written);
  if (value.isString()) return {.tag = Argument::Tag::kText, .text = value.toStringView()};
  if (type == ParameterType::kDType)
    return {.tag = Argument::Tag::kDType,
            .dtype = libtorch::from_c10(static_cast<c10::ScalarType>(value.toInt()))};
  if (type == ParameterType::kMemoryFormat)
    return {.tag = Argument::Tag::kText, .text = memory_format_of(value.toInt())};
  TORCH_CHECK(value.isScalar(), "the device upcast has no such argument: ", value.tagKind());
  return {.tag = Argument::Tag::kNumber, .number = number_of(value.toScalar())};
}

/// The arguments of one call, by our schema's positions.
struct Arguments {
  std::vector<Argument> ours;
  // The tensors that the call writes: self of an in-place form, the outs of an out= form.
  std::array<at::Tensor, 2> written{};
  std::array<Tensor, 2> outs{};
};

Arguments gather(const FoundOp& found, const c10::FunctionSchema& schema,
                 c10::ArrayRef<c10::IValue> values) {
  const Schema& ours = found.op->schemas[found.overload];
  Arguments arguments;
  arguments.ours.resize(ours.parameters.size());
  std::size_t next_written = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const c10::Argument& theirs = schema.arguments()[i];
    const bool written = theirs.alias_info() != nullptr && theirs.alias_info()->isWrite();
    if (written) arguments.written.at(next_written++) = values[i].toTensor();
    if (written && found.form == Form::kOut) {
      arguments.outs.at(next_written - 1) = tensor_argument(values[i].toTensor(), true).tensor;
      continue;
    }
    const int at = ours.find(theirs.name());
    if (at >= 0) arguments.ours[at] = argument_of(values[i], ours.parameters[at].type, written);
  }
  return arguments;
}

/// Whether our schema has each argument that PyTorch gives. Our rrelu has no `training`, which
/// would draw random numbers.
bool has_arguments(const Schema& ours, Form form, const c10::FunctionSchema& schema,
                   c10::ArrayRef<c10::IValue> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const c10::Argument& theirs = schema.arguments()[i];
    const bool is_out =
        form == Form::kOut && theirs.alias_info() != nullptr && theirs.alias_info()->isWrite();
    const bool is_default = theirs.default_value() && *theirs.default_value() == values[i];
    if (!is_out && !is_default && !values[i].isNone() && ours.find(theirs.name()) < 0) return false;
  }
  return true;
}

void refuse(const Rejection& rejection) {
  TORCH_CHECK_NOT_IMPLEMENTED(rejection.code != RejectionCode::kUnsupportedDType,
                              "upcast refuses: ", std::string(rejection.detail));
  TORCH_CHECK(false, "upcast refuses: ", std::string(name(rejection.code)), ": ",
              std::string(rejection.detail));
}

void run_pointwise(const c10::OperatorHandle& handle, torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = handle.schema();
  const std::string callable = schema.name().substr(6) +  // after "aten::"
                               (schema.overload_name().empty() ? "" : "." + schema.overload_name());
  const FoundOp found = find_callable(callable);
  check(found.op != nullptr, "the ops of the catalogue are registered");
  const std::size_t count = schema.arguments().size();
  const c10::ArrayRef<c10::IValue> values(stack->data() + stack->size() - count, count);
  if (!has_arguments(found.op->schemas[found.overload], found.form, schema, values))
    return run_on_cpu(handle, stack);
  Arguments arguments = gather(found, schema, values);

  Call call{.schema = &found.op->schemas[found.overload],
            .form = found.form,
            .arguments = arguments.ours};
  call.defaults.floating = libtorch::from_c10(c10::get_default_dtype_as_scalartype());
  if (found.form == Form::kOut) {
    call.out = arguments.outs.data();
    if (arguments.written[1].defined()) call.second_out = arguments.outs.data() + 1;
  }
  static CpuEngine engine;
  const Outcome<CallResult> outcome = call_op(*found.op, call, engine);
  if (!outcome.ok()) refuse(outcome.rejection());
  count_ours(callable);

  const CallResult& result = outcome.value();
  const std::array results{&result.tensor, &result.second};
  torch::jit::drop(stack, count);
  for (std::size_t i = 0; i < schema.returns().size(); ++i) {
    if (found.form == Form::kOut) become(arguments.written.at(i), *results.at(i));
    stack->emplace_back(found.form == Form::kFunctional ? from_ours(*results.at(i))
                                                        : arguments.written.at(i));
  }
}

/// Whether our device answers an overload itself. It does not answer functions of dtypes, which run
/// no kernel. PyTorch makes copies itself and calls our _copy_from (memory_ops.cc) for them,
/// because it knows conjugate and negative views.
bool is_routed(const Op& op, int overload, Form form) {
  const bool clones = op.spec->layout == ResultLayout::kMemoryFormat;
  const bool copies = form == Form::kInPlace && !op.spec->written.empty();
  return op.schemas[overload].returns.find("Tensor") != std::string_view::npos && !clones &&
         !copies;
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  for (const Op& op : catalogue())
    for (int overload = 0; overload < std::ssize(op.schemas); ++overload)
      for (const Form form : {Form::kFunctional, Form::kInPlace, Form::kOut}) {
        const std::string callable(op.callable(overload, form));
        if (callable.empty() || !is_routed(op, overload, form)) continue;
        const std::size_t dot = callable.find('.');
        const std::string overload_name = dot == callable.npos ? "" : callable.substr(dot + 1);
        if (c10::Dispatcher::singleton().findSchema(
                {"aten::" + callable.substr(0, dot), overload_name}))
          library.impl(callable.c_str(),
                       torch::CppFunction::makeFromBoxedFunction<&run_pointwise>());
      }
}

}  // namespace
}  // namespace upcast::device
