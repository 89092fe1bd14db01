#include "impl/cpu/call_op.h"

#include "impl/core/error.h"
#include "impl/cpu/operands.h"
#include "impl/cpu/tile_engine.h"
#include "impl/iterator/allocate_outputs.h"
#include "impl/iterator/build.h"
#include "impl/ops/promote_call.h"
#include "impl/tensor/overlap.h"

namespace upcast {
namespace {

/// A step of a composition. Parameters that the arguments do not reach keep their defaults.
Outcome<CallResult> call_step(std::string_view callable, std::span<const Argument> arguments,
                              const Call& outer) {
  const FoundOp found = find_callable(callable);
  check(found.op != nullptr, "a composition calls ops of the catalogue");
  Call call = outer;
  call.schema = &found.op->schemas[found.overload];
  call.form = found.form;
  call.out = nullptr;
  std::vector<Argument> all(arguments.begin(), arguments.end());
  all.resize(call.schema->parameters.size());
  call.arguments = all;
  return call_op(*found.op, call);
}

Outcome<CallResult> answer_dtype(const Call& call, Promoted promoted) {
  if (call.schema->returns != "bool") return CallResult{.dtype = promoted.result};
  CallResult answer{.tensor = make_tensor(DType::kBool, {})};
  *answer.tensor.data() = std::byte{promoted.result == DType::kBool};
  return answer;
}

bool has_generated_out(const Op& op, const Call& call) {
  return call.form == Form::kOut &&
         op.spec->overloads[call.schema - op.schemas.data()].generated_out;
}

/// An out= form that LibTorch generates: the functional one, then a copy of its result.
Outcome<CallResult> call_generated_out(const Op& op, const Call& call,
                                       const CpuSettings& settings) {
  Call functional = call;
  functional.form = Form::kFunctional;
  functional.out = nullptr;
  const Outcome<CallResult> result = call_op(op, functional, settings);
  if (!result.ok()) return result;
  const Tensor& made = result.value().tensor;
  if (made.dtype != call.out->dtype)
    return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
  const Tensor out =
      call.out->sizes == made.sizes ? *call.out : make_tensor(made.dtype, made.sizes);
  if (has_internal_overlap(out))
    return Rejection{RejectionCode::kMemoryOverlap, "elements of the output share memory"};
  scatter(logical_bytes(made), out);
  return CallResult{.tensor = out};
}

/// The outputs that the caller gave, in the iteration.
void add_outputs(const Op& op, const Call& call, const CallOperands& operands,
                 Iteration& iteration) {
  iteration.output_count = op.output_count();
  const std::array<const Tensor*, kMaxOutputs> given{
      call.form == Form::kInPlace ? operands.tensors[0]
      : call.form == Form::kOut   ? call.out
                                  : nullptr,
      call.form == Form::kOut ? call.second_out : nullptr};
  for (int i = 0; i < iteration.output_count; ++i) iteration.slots[i].tensor = given[i];
}

void add_inputs(const CallOperands& operands, Iteration& iteration) {
  iteration.input_count = operands.count;
  for (int i = 0; i < operands.count; ++i)
    iteration.slots[iteration.output_count + i].tensor = operands.tensors[i];
}

/// Inputs are seen in the dtype that they are promoted to.
void set_dtypes(const Op& op, DType common, Iteration& iteration) {
  for (int i = 0; i < iteration.input_count; ++i) {
    IteratorOperand& input = iteration.slots[iteration.output_count + i];
    const bool promoted = (op.spec->unpromoted_operands >> i & 1) == 0;
    if (input.defined()) input.dtype = promoted ? common : input.tensor->dtype;
  }
}

bool is_contiguous_result(const Op& op, DType common) {
  return op.spec->layout == ResultLayout::kContiguous ||
         (op.spec->layout == ResultLayout::kComplexIsContiguous && is_complex(common));
}

/// Allocates the outputs that are missing or to be resized.
void allocate(const Op& op, Promoted promoted, Iteration& iteration,
              std::array<Tensor, kMaxOutputs>& outputs) {
  for (int i = 0; i < iteration.output_count; ++i) {
    IteratorOperand& slot = iteration.slots[i];
    if (slot.has_layout()) {
      outputs[i] = *slot.tensor;
    } else {
      const DType allocated = i == 0 ? promoted.result : DType::kInt32;
      outputs[i] = empty_tensor(slot.defined() ? slot.tensor->dtype : allocated, iteration.shape,
                                is_contiguous_result(op, promoted.common)
                                    ? contiguous_strides(iteration.shape)
                                    : output_strides(iteration));
    }
  }
  for (int i = 0; i < iteration.output_count; ++i) {
    iteration.slots[i].tensor = &outputs[i];
    iteration.slots[i].will_resize = false;
  }
}

}  // namespace

Outcome<CallResult> call_op(const Op& op, const Call& call, const CpuSettings& settings) {
  if (has_generated_out(op, call)) return call_generated_out(op, call, settings);
  if (op.compose != nullptr) return op.compose(call, &call_step);
  const OperandTypes types = operand_types(op, call);
  if (const auto refused = check_operands(op, call, types)) return *refused;
  if (op.spec->operands[0].empty()) {
    const Outcome<Promoted> promoted = compute_call_types(op, call, types);
    return promoted.ok() ? answer_dtype(call, promoted.value()) : promoted.rejection();
  }

  const CallOperands operands = gather_operands(op, call);
  Iteration iteration{.config = {.check_overlap = op.spec->checks_overlap}};
  add_outputs(op, call, operands, iteration);
  add_inputs(operands, iteration);
  if (const auto refused = build_geometry(iteration)) return *refused;
  const Outcome<Promoted> promoted = compute_call_types(op, call, types);
  if (!promoted.ok()) return promoted.rejection();

  set_dtypes(op, promoted.value().common, iteration);
  std::array<Tensor, kMaxOutputs> outputs;
  allocate(op, promoted.value(), iteration, outputs);
  const IteratorPlan plan = build_plan(iteration);
  if (run_tiles(op, call, promoted.value().common, plan, settings).zero_division)
    return Rejection{RejectionCode::kZeroDivision, "an integer division by zero"};
  return CallResult{.tensor = std::move(outputs[0]), .second = std::move(outputs[1])};
}

}  // namespace upcast
