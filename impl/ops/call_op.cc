#include "impl/ops/call_op.h"

#include <algorithm>

#include "impl/core/dtype_set.h"
#include "impl/core/error.h"
#include "impl/ops/call_trace.h"
#include "impl/ops/gpu_operands.h"
#include "impl/ops/plan_call.h"
#include "impl/ops/promote_call.h"

namespace upcast {
namespace {

Outcome<CallResult> answer_dtype(const Call& call, Promoted promoted) {
  if (call.schema->returns != "bool") return CallResult{.dtype = promoted.result};
  CallResult answer{.tensor = make_tensor(DType::kBool, {})};
  *answer.tensor.data() = std::byte{promoted.result == DType::kBool};
  return answer;
}

Outcome<CallResult> copy_into(const Tensor& self, const Tensor& from, const Call& outer,
                              Engine& engine) {
  const std::array<Argument, 2> arguments{Argument{.tag = Argument::Tag::kTensor, .tensor = self},
                                          Argument{.tag = Argument::Tag::kTensor, .tensor = from}};
  return Caller(engine)("copy_", arguments, outer);
}

/// Copies the result of the functional form to `out`.
Outcome<CallResult> copy_to_out(const Call& call, const Tensor& made, Engine& engine) {
  if (made.device != call.out->device)
    return Rejection{RejectionCode::kDeviceMismatch, "out is not on the device of the operands"};
  if (made.dtype != call.out->dtype)
    return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
  const Tensor out = call.out->sizes == made.sizes
                         ? *call.out
                         : empty_tensor(made.dtype, made.sizes, contiguous_strides(made.sizes),
                                        engine.memory_for(call.out->device), call.out->device);
  if (out.device == Device::kMeta) return CallResult{.tensor = out};
  return copy_into(out, made, call, engine);
}

/// Runs an out= form that LibTorch generates: the functional form, and then a copy of its result to
/// out.
Outcome<CallResult> call_generated_out(const Op& op, const Call& call, Engine& engine) {
  Call functional = call;
  functional.form = Form::kFunctional;
  functional.out = nullptr;
  const Outcome<CallResult> result = call_op(op, functional, engine);
  if (!result.ok()) return result;
  Outcome<CallResult> copied = copy_to_out(call, result.value().tensor, engine);
  refuses(steps_of(call), Step::kCopyOut, copied);
  return copied;
}

/// Refuses operands of dtypes such as uint1. These dtypes promote, but have no elements that a loop
/// could convert.
std::optional<Rejection> check_elements(const IteratorPlan& plan) {
  bool has_elements = true;
  for_each_operand(plan, [&](const PlanOperand& operand) {
    has_elements = has_elements && kElementwise.contains(operand.dtype);
  });
  if (has_elements || std::find(plan.sizes.begin(), plan.sizes.end(), 0) != plan.sizes.end())
    return std::nullopt;
  return Rejection{RejectionCode::kUnsupportedDType, "no conversion of this dtype's elements"};
}

/// Fills the copies of converted operands, then runs the loops of the plan.
std::optional<Rejection> run_plan(const Op& op, const Call& call, const CallPlan& planned,
                                  Engine& engine) {
  for (int i = 0; i < planned.operands.count; ++i)
    if (const Tensor& copy = planned.converted_inputs[i]; copy.defined())
      if (auto copied = copy_into(copy, *planned.operands.tensors[i], call, engine); !copied.ok())
        return copied.rejection();
  if (const auto refused = check_elements(planned.plan)) return refused;
  const Fault fault = engine.run(op, call, planned.promoted.common, planned.plan);
  if (fault.zero_division && planned.iteration.device == Device::kCpu)
    return Rejection{RejectionCode::kZeroDivision, "an integer division by zero"};
  if (planned.converted_output.defined())
    return refusal_of(copy_into(planned.outputs[0], planned.converted_output, call, engine));
  return std::nullopt;
}

}  // namespace

Outcome<CallResult> Caller::operator()(std::string_view callable,
                                       std::span<const Argument> arguments,
                                       const Call& outer) const {
  const FoundOp found = find_callable(callable);
  check(found.op != nullptr, "a composition calls ops of the catalogue");
  Call call = outer;
  call.schema = &found.op->schemas[found.overload];
  call.form = found.form;
  call.out = found.form == Form::kOut ? outer.out : nullptr;
  std::vector<Argument> all(arguments.begin(), arguments.end());
  all.resize(call.schema->parameters.size());
  call.arguments = all;
  if (outer.trace != nullptr) call.trace = &outer.trace->parts.emplace_back();
  return call_op(*found.op, call, engine_);
}

Outcome<CallResult> call_op(const Op& op, const Call& call, Engine& engine) {
  StepTrace* const trace = steps_of(call);
  if (call.trace != nullptr)
    call.trace->callable =
        op.callable(static_cast<int>(call.schema - op.schemas.data()), call.form);
  if (const auto refused = check_gpu_operands(op, call);
      refuses(trace, Step::kGpuOperands, refused))
    return *refused;
  if (has_generated_out(op, call)) return call_generated_out(op, call, engine);
  if (op.is_composition(call)) {
    Outcome<CallResult> result = op.compose(call, Caller(engine));
    refuses(trace, Step::kParts, result);
    return result;
  }
  if (op.spec->operands[0].empty()) {
    const Outcome<Promoted> promoted = promote_call(op, call);
    if (refuses(trace, Step::kDTypes, promoted)) return promoted.rejection();
    return answer_dtype(call, promoted.value());
  }
  CallPlan planned;
  if (const auto refused = plan_call(op, call, planned, engine)) return *refused;
  if (planned.iteration.device != Device::kMeta)
    if (auto refused = run_plan(op, call, planned, engine); refuses(trace, Step::kRun, refused))
      return *refused;
  return CallResult{.tensor = std::move(planned.outputs[0]),
                    .second = std::move(planned.outputs[1])};
}

}  // namespace upcast
