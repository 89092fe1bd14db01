#include "impl/cpu/call_op.h"

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/tile_engine.h"
#include "impl/iterator/plan.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/promote_call.h"

namespace upcast {
namespace {

/// A number as the zero-dim tensor that ATen wraps it in.
Tensor wrapped_tensor(const Number& number) {
  Tensor tensor = make_tensor(number.dtype(), {});
  tensor.wrapped_number = true;
  number.visit([&tensor](auto value) {
    for_each_element(AllElements{}, [&](auto row) {
      using T = typename decltype(row)::type;
      if (row.dtype == tensor.dtype) *reinterpret_cast<T*>(tensor.data()) = convert<T>(value);
    });
  });
  return tensor;
}

struct Operands {
  std::array<Tensor, kMaxOperands> tensors;
  int count = 0;
};

Operands gather_operands(const Op& op, const Call& call) {
  Operands operands;
  for (const std::string_view name : op.spec->operands) {
    if (name.empty()) break;
    const Argument& argument = call.argument(name);
    operands.tensors[operands.count++] =
        argument.tag == Argument::Tag::kNumber ? wrapped_tensor(argument.number) : argument.tensor;
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

/// A composition. ATen generates its out= form: a copy into an out of exactly the result dtype.
Outcome<CallResult> compose(const Op& op, const Call& call) {
  if (call.form != Form::kOut) return op.compose(call, &call_step);
  Call functional = call;
  functional.form = Form::kFunctional;
  functional.out = nullptr;
  Outcome<CallResult> result = op.compose(functional, &call_step);
  if (!result.ok()) return result;
  const Tensor& tensor = result.value().tensor;
  if (tensor.dtype != call.out->dtype)
    return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
  if (tensor.sizes != call.out->sizes) return result;
  scatter(logical_bytes(tensor), *call.out);
  return CallResult{*call.out, DType::kUndefined};
}

Outcome<CallResult> answer_dtype(const Call& call, Promoted promoted) {
  if (call.schema->returns != "bool") return CallResult{{}, promoted.result};
  Tensor answer = make_tensor(DType::kBool, {});
  *answer.data() = std::byte{promoted.result == DType::kBool};
  return CallResult{answer, DType::kUndefined};
}

}  // namespace

Outcome<CallResult> call_op(const Op& op, const Call& call) {
  if (op.compose != nullptr) return compose(op, call);
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
