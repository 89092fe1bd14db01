#include "impl/cpu/call_op.h"

#include "impl/core/error.h"
#include "impl/cpu/tile_engine.h"
#include "impl/ops/plan_call.h"
#include "impl/ops/promote_call.h"
#include "impl/tensor/overlap.h"

namespace upcast {
namespace {

/// A step of a composition. Parameters that the arguments do not reach keep their defaults; an out=
/// step writes to the output of the whole.
Outcome<CallResult> call_step(std::string_view callable, std::span<const Argument> arguments,
                              const Call& outer) {
  const FoundOp found = find_callable(callable);
  check(found.op != nullptr, "a composition calls ops of the catalogue");
  Call call = outer;
  call.schema = &found.op->schemas[found.overload];
  call.form = found.form;
  call.out = found.form == Form::kOut ? outer.out : nullptr;
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
  if (made.device != call.out->device)
    return Rejection{RejectionCode::kDeviceMismatch, "out is not on the device of the operands"};
  if (made.dtype != call.out->dtype)
    return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
  const Tensor out =
      call.out->sizes == made.sizes
          ? *call.out
          : empty_tensor(made.dtype, made.sizes, contiguous_strides(made.sizes), call.out->device);
  if (out.device == Device::kMeta) return CallResult{.tensor = out};
  if (has_internal_overlap(out))
    return Rejection{RejectionCode::kMemoryOverlap, "elements of the output share memory"};
  scatter(logical_bytes(made), out);
  return CallResult{.tensor = out};
}

}  // namespace

Outcome<CallResult> call_op(const Op& op, const Call& call, const CpuSettings& settings) {
  if (has_generated_out(op, call)) return call_generated_out(op, call, settings);
  if (op.is_composition(call)) return op.compose(call, &call_step);
  if (op.spec->operands[0].empty()) {
    const Outcome<Promoted> promoted = promote_call(op, call);
    return promoted.ok() ? answer_dtype(call, promoted.value()) : promoted.rejection();
  }
  CallPlan planned;
  if (const auto refused = plan_call(op, call, planned)) return *refused;
  if (planned.iteration.device == Device::kCpu &&
      run_tiles(op, call, planned.promoted.common, planned.plan, settings).zero_division)
    return Rejection{RejectionCode::kZeroDivision, "an integer division by zero"};
  return CallResult{.tensor = std::move(planned.outputs[0]),
                    .second = std::move(planned.outputs[1])};
}

}  // namespace upcast
