#include "impl/cpu/call_op.h"

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/tile_engine.h"
#include "impl/iterator/plan.h"
#include "impl/ops/promote_call.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {
namespace {

struct Operands {
  std::array<Tensor, kMaxOperands> tensors;
  int count = 0;
};

Operands gather_operands(const Op& op, const Call& call) {
  Operands operands;
  for (const std::string_view name : op.spec->operands) {
    if (name.empty()) break;
    operands.tensors[operands.count++] = operand_tensor(call.argument(name));
  }
  return operands;
}

Outcome<Dims> broadcast(const Operands& operands) {
  std::array<const Dims*, kMaxOperands> shapes;
  std::size_t count = 0;
  for (int i = 0; i < operands.count; ++i)
    if (operands.tensors[i].defined()) shapes[count++] = &operands.tensors[i].sizes;
  return compute_shape({shapes.data(), count});
}

/// The tensor that the result is written to.
Outcome<Tensor> output_tensor(const Call& call, const Operands& operands, const Dims& shape,
                              DType dtype) {
  if (call.form == Form::kFunctional) return make_tensor(dtype, shape);
  if (call.form == Form::kInPlace) {
    if (operands.tensors[0].sizes != shape)
      return Rejection{RejectionCode::kShapeMismatch, "the result does not fit self"};
    return operands.tensors[0];
  }
  return call.out->sizes == shape ? *call.out : make_tensor(dtype, shape);
}

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
  if (call.schema->returns != "bool") return CallResult{{}, promoted.result};
  Tensor answer = make_tensor(DType::kBool, {});
  *answer.data() = std::byte{promoted.result == DType::kBool};
  return CallResult{answer, DType::kUndefined};
}

}  // namespace

Outcome<CallResult> call_op(const Op& op, const Call& call) {
  if (op.compose != nullptr) return op.compose(call, &call_step);
  const Outcome<Promoted> promoted = promote_call(op, call);
  if (!promoted.ok()) return promoted.rejection();
  if (op.spec->operands[0].empty()) return answer_dtype(call, promoted.value());

  const Operands operands = gather_operands(op, call);
  const Outcome<Dims> shape = broadcast(operands);
  if (!shape.ok()) return shape.rejection();
  Outcome<Tensor> output = output_tensor(call, operands, shape.value(), promoted.value().result);
  if (!output.ok()) return output.rejection();

  IteratorPlan<kMaxOperands> plan{.sizes = shape.value()};
  plan.output = plan_operand(output.value(), shape.value());
  plan.input_count = operands.count;
  for (int i = 0; i < operands.count; ++i)
    if (operands.tensors[i].defined())
      plan.inputs[i] = plan_operand(operands.tensors[i], shape.value());
  if (run_tiles(op, call, promoted.value().common, plan).zero_division)
    return Rejection{RejectionCode::kZeroDivision, "an integer division by zero"};
  return CallResult{std::move(output.value()), DType::kUndefined};
}

}  // namespace upcast
