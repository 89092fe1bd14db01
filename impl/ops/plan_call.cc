#include "impl/ops/plan_call.h"

#include <algorithm>
#include <new>

#include "impl/iterator/allocate_outputs.h"
#include "impl/iterator/build.h"
#include "impl/iterator/check_devices.h"
#include "impl/iterator/check_overlap.h"
#include "impl/iterator/compute_shape.h"
#include "impl/iterator/fast_setup.h"
#include "impl/ops/call_trace.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/promote_call.h"
#include "impl/ops/result_dtypes.h"
#include "impl/ops/wrapped_tensor.h"
#include "impl/promotion/yields.h"
#include "impl/tensor/memory_format.h"
#include "impl/tensor/overlap.h"

namespace upcast {
namespace {

Tensor new_tensor(DType dtype, const Dims& sizes, const Dims& strides, Device device,
                  Engine& engine) {
  return empty_tensor(dtype, sizes, strides, engine.memory_for(device), device);
}

/// Refuses an operand with a negative size.
std::optional<Rejection> check_sizes(const CallOperands& operands) {
  for (int i = 0; i < operands.count; ++i)
    for (const std::int64_t size : operands.tensors[i]->sizes)
      if (size < 0) return Rejection{RejectionCode::kOther, "a size is negative"};
  return std::nullopt;
}

bool is_scalar_first(const Op& op, const Call& call) {
  return op.spec->layout == ResultLayout::kScalarFirstIsContiguous &&
         call.schema->parameters[0].type == ParameterType::kScalar;
}

/// Whether a power's base is 1, so that LibTorch fills the result with 1. A fill does not check
/// overlap.
bool fills_one(const Op& op, const Call& call) {
  if (!is_scalar_first(op, call)) return false;
  const Number& number = call.arguments[0].number;
  if (is_bool(number.dtype()) && !op.spec->converts_first) return false;  // in pow, True is not 1
  const auto base = number_to<Complex<double>>(number);
  return base.re == 1 && base.im == 0;
}

/// Whether copy_ copies a tensor to itself. The tensor then keeps its values, even if it overlaps
/// itself.
bool copies_itself(const Op& op, const Call& call) {
  return call.form == Form::kInPlace && !op.spec->written.empty() &&
         is_same_tensor(written_tensor(op, call),
                        operand_tensor(call.argument(op.spec->operands[0])));
}

/// Whether abs or angle of a complex operand writes to a real out=. The result is then computed
/// into a new tensor, and copied to out.
bool is_copied_from_complex(const Op& op, const Call& call) {
  const OpSpec& spec = *op.spec;
  return call.form == Form::kOut && !is_complex(call.out->dtype) &&
         (spec.promotion == PromotionKind::kComplexToReal ||
          spec.layout == ResultLayout::kComplexIsContiguous) &&
         is_complex(operand_tensor(call.argument(spec.operands[0])).dtype);
}

/// For ops that resize an out= of another shape before they check overlap. The out= stays in its
/// own storage. If the result is computed into a new tensor and copied, out gets no overlap check.
void resize_first(const Op& op, const Call& call, CallPlan& planned, Engine& engine) {
  const bool made_apart = op.spec->layout == ResultLayout::kContiguous ||
                          op.spec->layout == ResultLayout::kResizedOutIsContiguous ||
                          is_copied_from_complex(op, call);
  if (!made_apart && !is_scalar_first(op, call)) return;
  const Tensor& out = *call.out;
  Dims shape;
  for (int i = 0; i < planned.operands.count; ++i)
    if (!broadcast_into(shape, planned.operands.tensors[i]->sizes)) return;
  if (out.sizes == shape) return;
  planned.outputs[0] =
      made_apart ? new_tensor(out.dtype, shape, contiguous_strides(shape), out.device, engine)
                 : resized(out, shape);
  planned.iteration.slots[0].tensor = &planned.outputs[0];
}

/// For ops that only copy integers (ceil): checks overlap of self and a resized out=. The copy
/// comes after the resize.
std::optional<Rejection> check_copied_integers(const Op& op, const Iteration& iteration) {
  const IteratorOperand& output = iteration.slots[0];
  if (!op.spec->copies_integers || !output.will_resize) return std::nullopt;
  const Tensor& self = *iteration.inputs()[0].tensor;
  if (!is_integral(self.dtype) || self.device == Device::kMeta) return std::nullopt;
  return check_copy(resized(*output.tensor, iteration.shape), self);
}

CpuScalars cpu_scalars(const OpSpec& spec) {
  const bool alone = spec.operands[1].empty() && spec.cpu_scalars == CpuScalars::kOne;
  return alone ? CpuScalars::kNone : spec.cpu_scalars;
}

void add_operands(const Op& op, const Call& call, CallPlan& planned, Engine& engine) {
  Iteration& iteration = planned.iteration;
  iteration.config = {
      .check_overlap = op.spec->checks_overlap && !fills_one(op, call) && !copies_itself(op, call),
      .resize_outputs = op.spec->resizes_outputs,
      .cpu_scalars = cpu_scalars(*op.spec)};
  iteration.output_count = op.output_count();
  iteration.input_count = planned.operands.count;
  if (call.form == Form::kInPlace) iteration.slots[0].tensor = &written_tensor(op, call);
  if (call.form == Form::kFunctional && !op.spec->written.empty()) {
    // The functional form starts from a new tensor, which is like the one that the in-place form
    // writes.
    const Tensor like = operand_tensor(call.argument(op.spec->written));
    planned.outputs[0] = new_tensor(
        like.dtype, like.sizes,
        has_internal_overlap(like) ? preserved_strides(like.sizes, like.strides) : like.strides,
        like.device, engine);
    iteration.slots[0].tensor = &planned.outputs[0];
  }
  if (call.form == Form::kOut) {
    iteration.slots[0].tensor = call.out;
    resize_first(op, call, planned, engine);
    if (iteration.output_count > 1) iteration.slots[1].tensor = call.second_out;
  }
  for (int i = 0; i < planned.operands.count; ++i)
    iteration.slots[iteration.output_count + i].tensor = planned.operands.tensors[i];
}

/// For ops that do not check overlap: refuses an output of another dtype than the common one, if
/// its elements share memory. The result is then computed in the common dtype, and the copy to the
/// output makes this check.
std::optional<Rejection> check_converted_outputs(const CallPlan& planned) {
  const Iteration& iteration = planned.iteration;
  if (iteration.config.check_overlap || iteration.device != Device::kCpu) return std::nullopt;
  for (int i = 0; i < iteration.output_count; ++i) {
    const IteratorOperand& output = iteration.slots[i];
    if (output.has_layout() && output.tensor->dtype != planned.promoted.common &&
        has_internal_overlap(*output.tensor))
      return Rejection{RejectionCode::kMemoryOverlap, "elements of the output share memory"};
  }
  return std::nullopt;
}

/// Sets the dtype to which each input is converted as a whole. On the CPU this happens before
/// strides are read; on other devices a kernel converts as it loads.
void set_dtypes(const Op& op, DType common, Iteration& iteration) {
  for (int i = 0; i < iteration.input_count; ++i) {
    IteratorOperand& input = iteration.slots[iteration.output_count + i];
    const bool promoted =
        (iteration.device == Device::kCpu || op.spec->converts_first) && op.spec->promotes(i);
    if (input.defined()) input.dtype = promoted ? common : input.tensor->dtype;
  }
}

/// Whether the loop computes nothing with values of the common dtype, except comparing, selecting
/// or moving them.
bool computes_nothing(const Op& op, DType common) {
  return op.spec->rounds_numbers ||
         op.kernels[code(compute_dtype(common))].result == FunctorResult::kBool;
}

/// Sets the dtype to which each input is rounded when the loop loads it from memory.
void set_roundings(const Op& op, const Call& call, const OperandTypes& types, DType common,
                   IteratorPlan& plan) {
  const bool rounds_all = call.rounds_numbers || computes_nothing(op, common);
  for (int i = 0; i < plan.input_count; ++i) {
    PlanOperand& input = plan.inputs[i];
    const bool rounds = rounds_all || !yields(types.span(), static_cast<std::size_t>(i));
    input.through = !op.spec->promotes(i) ? input.dtype : rounds ? common : compute_dtype(common);
  }
}

Rejection too_large() {
  return Rejection{RejectionCode::kOther, "the result does not fit any memory"};
}

/// Whether the bytes of a dense tensor of this shape can be counted by an int64.
bool is_addressable(const Dims& shape, DType dtype) {
  std::int64_t bytes = itemsize(dtype);
  for (const std::int64_t size : shape)
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes)) return false;
  return true;
}

Dims result_strides(const Op& op, const Call& call, const CallPlan& planned) {
  const Dims& shape = planned.iteration.shape;
  switch (op.spec->layout) {
    case ResultLayout::kContiguous:
      return contiguous_strides(shape);
    case ResultLayout::kComplexIsContiguous:
      if (is_complex(planned.promoted.common) && !is_complex(planned.promoted.result))
        return contiguous_strides(shape);
      break;
    case ResultLayout::kScalarFirstIsContiguous:
      if (is_scalar_first(op, call)) return contiguous_strides(shape);
      break;
    case ResultLayout::kLikeFirstOperand: {
      const Tensor* const like = planned.operands.tensors[0];
      if (call.form == Form::kFunctional && like->sizes == shape)
        return preserved_strides(shape, like->strides);
      break;
    }
    case ResultLayout::kResizedOutIsContiguous:
      if (call.form == Form::kOut) return contiguous_strides(shape);
      break;
    case ResultLayout::kMemoryFormat: {
      const std::string_view format = call.argument("memory_format").text;
      if (format == "contiguous_format") return contiguous_strides(shape);
      if (format == "channels_last") return channels_last_strides(shape);
      break;
    }
    case ResultLayout::kIterator:
      if (is_copied_from_complex(op, call)) return contiguous_strides(shape);
      break;
  }
  return output_strides(planned.iteration);
}

/// Allocates missing outputs, and outputs that need a resize.
std::optional<Rejection> allocate(const Op& op, const Call& call, CallPlan& planned,
                                  Engine& engine) {
  Iteration& iteration = planned.iteration;
  for (int i = 0; i < iteration.output_count; ++i) {
    const IteratorOperand& slot = iteration.slots[i];
    const bool is_resized = slot.tensor == &planned.outputs[i];
    if (slot.has_layout() && (!is_resized || fits_storage(*slot.tensor))) {
      if (!is_resized) planned.outputs[i] = *slot.tensor;
      continue;
    }
    // The result dtype is also the dtype of an out= that is resized. The second output, the
    // exponents of frexp, is int32.
    const DType dtype = i == 0 ? planned.promoted.result : DType::kInt32;
    if (!is_addressable(iteration.shape, dtype)) return too_large();
    planned.outputs[i] = new_tensor(dtype, iteration.shape, result_strides(op, call, planned),
                                    iteration.device, engine);
  }
  for (int i = 0; i < iteration.output_count; ++i) {
    iteration.slots[i].tensor = &planned.outputs[i];
    iteration.slots[i].will_resize = false;
  }
  return std::nullopt;
}

/// Converts whole operands before the loops, as TensorIterator does on the CPU, if written memory
/// is shared. A loop that converts element by element could read an element that it has already
/// overwritten.
void convert_apart(const Op& op, CallPlan& planned, Engine& engine) {
  Iteration& iteration = planned.iteration;
  if (!op.spec->written.empty()) return;  // copy_ converts element by element
  if (iteration.device != Device::kCpu || !shares_written_memory(iteration)) return;
  const auto copy_of = [&](const Tensor& tensor, const Dims& strides) {
    return new_tensor(planned.promoted.common, tensor.sizes, strides, Device::kCpu, engine);
  };
  for (int i = 0; i < iteration.input_count; ++i) {
    IteratorOperand& input = iteration.slots[iteration.output_count + i];
    if (!input.defined() || input.dtype == input.tensor->dtype) continue;
    planned.converted_inputs[i] = copy_of(*input.tensor, seen_strides(input));
    input.tensor = &planned.converted_inputs[i];
  }
  const Tensor& output = planned.outputs[0];
  const DType common = planned.promoted.common;
  const FunctorResult result = op.kernels[code(compute_dtype(common))].result;
  if (output.dtype == common || output.dtype == result_dtypes(result, common, 0).rounded) return;
  planned.converted_output = copy_of(output, contiguous_strides(output.sizes));
  iteration.slots[0].tensor = &planned.converted_output;
}

void note_results(StepTrace* trace, const CallPlan& planned) {
  if (trace == nullptr) return;
  for (int i = 0; i < planned.iteration.output_count; ++i) {
    const Tensor& output = planned.outputs[i];
    trace->results.push_back({output.dtype, output.sizes, output.strides});
  }
  trace->note(Step::kLoops);
  trace->plan = planned.plan;
}

std::optional<Rejection> plan(const Op& op, const Call& call, CallPlan& planned, Engine& engine) {
  StepTrace* const trace = steps_of(call);
  const OperandTypes types = operand_types(op, call);
  if (auto refused = check_operands(op, call, types); refuses(trace, Step::kOperands, refused))
    return refused;
  gather_operands(op, call, planned.operands);
  if (auto refused = check_sizes(planned.operands); refuses(trace, Step::kOperands, refused))
    return refused;
  add_operands(op, call, planned, engine);
  planned.iteration.trace = trace;
  if (auto refused = build_geometry(planned.iteration)) return refused;
  if (auto refused = check_copied_integers(op, planned.iteration);
      refuses(trace, Step::kOverlap, refused))
    return refused;
  const Outcome<Promoted> promoted = compute_call_types(op, call, types);
  if (refuses(trace, Step::kDTypes, promoted)) return promoted.rejection();
  planned.promoted = promoted.value();
  if (auto refused = check_devices(planned.iteration); refuses(trace, Step::kDevices, refused))
    return refused;
  if (trace != nullptr) trace->device = planned.iteration.device;
  const DType common = planned.promoted.common;
  if (planned.iteration.device != Device::kMeta)
    if (auto refused = check_kernel(op, common); refuses(trace, Step::kKernel, refused))
      return refused;
  if (auto refused = check_converted_outputs(planned);
      refused && refuses(trace, Step::kOverlap, refused))
    return refused;
  set_dtypes(op, common, planned.iteration);
  if (auto refused = allocate(op, call, planned, engine); refuses(trace, Step::kResult, refused))
    return refused;
  convert_apart(op, planned, engine);
  planned.plan = build_plan(planned.iteration);
  set_roundings(op, call, types, common, planned.plan);
  note_results(trace, planned);
  return std::nullopt;
}

}  // namespace

std::optional<Rejection> plan_call(const Op& op, const Call& call, CallPlan& planned,
                                   Engine& engine) {
  try {
    return plan(op, call, planned, engine);
  } catch (const std::bad_alloc&) {
    std::optional<Rejection> refused = too_large();
    refuses(steps_of(call), Step::kResult, refused);
    return refused;
  }
}

}  // namespace upcast
