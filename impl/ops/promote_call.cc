#include "impl/ops/promote_call.h"

#include "impl/ops/call_trace.h"
#include "impl/ops/operands.h"

namespace upcast {
namespace {

TypedOperand typed(const Argument& argument) {
  switch (argument.tag) {
    case Argument::Tag::kTensor:
      return {argument.tensor.dtype, argument.tensor.kind()};
    case Argument::Tag::kNumber:
      return {argument.number.dtype(), Kind::kWrapped};
    default:
      return {};
  }
}

bool is_operand_type(ParameterType type) {
  return type == ParameterType::kTensor || type == ParameterType::kOptionalTensor ||
         type == ParameterType::kScalar || type == ParameterType::kOptionalScalar;
}

/// The dtype of the output that the caller gives (out= or in place); kUndefined in the functional
/// form.
DType given_output(const Op& op, const Call& call) {
  if (call.form == Form::kOut) return call.out->dtype;
  if (call.form == Form::kInPlace) return written_tensor(op, call).dtype;
  return DType::kUndefined;
}

std::optional<Rejection> check_defined(const Op& op, const Call& call) {
  if (op.spec->operands[0].empty()) return std::nullopt;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.schema->parameters[i].type == ParameterType::kTensor &&
        typed(call.arguments[i]).dtype == DType::kUndefined)
      return Rejection{RejectionCode::kUndefinedOperand, "an operand is undefined"};
  return std::nullopt;
}

}  // namespace

OperandTypes operand_types(const Op& op, const Call& call) {
  OperandTypes types;
  if (op.spec->operands[0].empty()) {
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (is_operand_type(call.schema->parameters[i].type) && types.count < kMaxOperands)
        types.operands[types.count++] = typed(call.arguments[i]);
    return types;
  }
  for (const std::string_view operand : op.spec->operands)
    if (!operand.empty()) types.operands[types.count++] = typed(call.argument(operand));
  return types;
}

std::optional<Rejection> check_operands(const Op& op, const Call& call, const OperandTypes& types) {
  if (auto refused = check_defined(op, call)) return refused;
  return op.check == nullptr ? std::nullopt : op.check(call, types.span());
}

Outcome<Promoted> compute_call_types(const Op& op, const Call& call, const OperandTypes& types) {
  CallTrace* const trace = call.trace;
  const bool generated_out = has_generated_out(op, call);
  const DType out = given_output(op, call);
  const TypesQuery query{.inputs = types.span(),
                         .out = generated_out ? DType::kUndefined : out,
                         .defaults = call.defaults,
                         .rules = {*call.rules, trace == nullptr ? nullptr : &trace->promotion}};
  const Outcome<Promoted> promoted =
      op.types != nullptr ? op.types(call, query) : compute_types(op.spec->promotion, query);
  if (!promoted.ok()) return promoted;
  if (trace != nullptr) trace->promoted = promoted.value();
  if (generated_out && out != promoted.value().result)
    return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
  if (op.check_types != nullptr)
    if (const auto refused = op.check_types(call, promoted.value())) return *refused;
  return promoted;
}

std::optional<Rejection> check_kernel(const Op& op, DType common) {
  if (op.spec->dtypes.empty() || op.spec->dtypes.contains(common)) return std::nullopt;
  return Rejection{RejectionCode::kUnsupportedDType, "no kernel for the common dtype"};
}

bool has_generated_out(const Op& op, const Call& call) {
  return call.form == Form::kOut &&
         op.spec->overloads[call.schema - op.schemas.data()].generated_out;
}

Outcome<Promoted> promote_call(const Op& op, const Call& call) {
  const OperandTypes types = operand_types(op, call);
  if (auto refused = check_operands(op, call, types)) return *refused;
  const Outcome<Promoted> promoted = compute_call_types(op, call, types);
  if (!promoted.ok()) return promoted;
  if (auto refused = check_kernel(op, promoted.value().common)) return *refused;
  return promoted;
}

}  // namespace upcast
