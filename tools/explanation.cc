#include "tools/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/notation.h"
#include "oracle/case_call.h"
#include "oracle/deciding_rules.h"

namespace upcast::tools {
namespace {

/// Kinds whose inputs meet in slots.
bool promotes(PromotionKind kind) {
  return info(kind).promote_inputs_to_common_dtype || kind == PromotionKind::kOwn;
}

std::string operand_text(const Operand& operand) {
  if (operand.tag == Operand::Tag::kAbsent) return "absent";
  return print_operand(operand);
}

OperandStep enter(OperandStep step, const Defaults& defaults, ResultTypeState& slots) {
  step.enters = entering_dtype(step.operand, defaults);
  step.rule = entering_rule(step.operand);
  if (step.promotes) slots = update(slots, step.operand, defaults);
  step.slots = slots;
  return step;
}

CombineStep combine_step(std::string higher_name, DTypeResult higher, std::string lower_name,
                         DTypeResult lower) {
  CombineStep step{std::move(higher_name), std::move(lower_name), higher, lower, {},
                   combine(higher, lower)};
  const DTypeResult empty(DType::kUndefined);
  if (!higher.ok() || !lower.ok() || !step.result.ok()) {
    step.why = describe((!higher.ok() ? higher : !lower.ok() ? lower : step.result).error());
  } else if (higher == empty && lower == empty) {
    step.why = "both are empty";
  } else if (lower == empty) {
    step.why = "nothing of lower priority";
  } else if (higher == empty) {
    step.why = "nothing of higher priority";
  } else {
    step.why = describe(combining_rule(higher.dtype(), lower.dtype()));
  }
  return step;
}

/// Operands by schema position, as promotion sees them.
std::vector<OperandStep> operand_steps(const Case& c, const Call& call) {
  std::vector<OperandStep> steps;
  const OperandTypes types = operand_types(*c.op, call);
  const bool by_spec = !c.op->spec->operands[0].empty();
  int next = 0;
  for (std::size_t i = 0; i < c.arguments.size() && next < types.count; ++i) {
    const std::string_view parameter = c.schema().parameters[i].name;
    const auto& named = c.op->spec->operands;
    if (by_spec && std::find(named.begin(), named.end(), parameter) == named.end()) continue;
    if (c.arguments[i].tag == Operand::Tag::kDType) continue;
    // The spec's order is the schema's, but an overload may lack an operand.
    const int position =
        by_spec ? static_cast<int>(std::find(named.begin(), named.end(), parameter) - named.begin())
                : next;
    OperandStep step;
    step.name = parameter;
    step.text = operand_text(c.arguments[i]);
    step.operand = types.operands[position];
    step.promotes = (c.op->spec->unpromoted_operands >> position & 1) == 0;
    steps.push_back(std::move(step));
    ++next;
  }
  return steps;
}

void explain_slots(Explanation& told) {
  const Defaults& defaults = told.c.defaults;
  ResultTypeState slots;
  if (told.kind == PromotionKind::kBoolToLong) {
    OperandStep two;
    two.name = "(exponent)";
    two.text = "2";
    two.operand = {DType::kInt64, Kind::kWrapped};
    told.operands.push_back(two);
  }
  for (OperandStep& step : told.operands) step = enter(std::move(step), defaults, slots);
  if (!promotes(told.kind) || told.operands.empty()) return;
  const CombineStep lower = combine_step("zero_dim", slots.zero_dim, "wrapped", slots.wrapped);
  told.combine.push_back(lower);
  told.combine.push_back(combine_step("dim", slots.dim, "the outcome", lower.result));
  told.result_type = told.combine.back().result;
}

/// The dtype of the output that the caller gives; kUndefined where it is allocated.
DType given_output(const Case& c) {
  if (c.form == Form::kOut) return c.out.dtype;
  return c.form == Form::kInPlace ? c.arguments[0].dtype : DType::kUndefined;
}

std::string cast_sentence(DType from, DType to) {
  if (can_cast(from, to)) return fmt::format("{} casts to the output's {}", name(from), name(to));
  return fmt::format("{} does not cast to the output's {}: {}", name(from), name(to),
                     describe(refusing_rule(from, to)));
}

void explain_shortcut(Explanation& told, DType& common) {
  std::vector<TypedOperand> inputs;
  for (const OperandStep& step : told.operands)
    if (step.operand.dtype != DType::kUndefined) inputs.push_back(step.operand);
  if (inputs.empty()) return;
  const bool equal = std::all_of(inputs.begin(), inputs.end(), [&](const TypedOperand& input) {
    return input.dtype == inputs[0].dtype;
  });
  const bool any_dim = std::any_of(inputs.begin(), inputs.end(), [](const TypedOperand& input) {
    return input.kind == Kind::kDim;
  });
  if (equal && any_dim) {
    common = inputs[0].dtype;
    told.then.emplace_back(
        "all inputs have one dtype and one of them has dimensions: they keep it");
  }
}

void explain_kind(Explanation& told) {
  DType common = told.result_type.ok() ? told.result_type.dtype() : DType::kUndefined;
  const PromotionKind kind = told.kind;
  if (kind == PromotionKind::kOwn) return;
  if (promotes(kind)) {
    explain_shortcut(told, common);
    if (common == DType::kUndefined) return;
  } else {
    told.then.emplace_back(info(kind).sentence);
    return;
  }
  if (kind == PromotionKind::kIntToFloat) {
    const DType floating = int_to_float(common, told.c.defaults);
    if (floating != common) told.then.emplace_back(describe(floating_rule(common)));
    common = floating;
  }
  const DType out = given_output(told.c);
  if (kind == PromotionKind::kAlwaysBool) {
    told.then.emplace_back(describe(out == DType::kUndefined
                                        ? Rule::kComparisonAllocatesBool
                                        : Rule::kComparisonOutputKeepsItsDType));
  } else if (out != DType::kUndefined) {
    told.then.push_back(cast_sentence(common, out));
  }
}

}  // namespace

Explanation explain_case(const Case& c) {
  Explanation told;
  told.c = c;
  told.kind = c.op->spec->promotion;
  CaseCall maker;
  const Call& call = maker.make(c, kPyTorchRules, nullptr);
  told.operands = operand_steps(c, call);
  explain_slots(told);
  explain_kind(told);
  told.promoted = promote_call(*c.op, call);
  return told;
}

std::vector<std::string> iterator_flags(PromotionKind kind) {
  const KindInfo& row = info(kind);
  std::vector<std::string> flags;
  if (row.check_all_same_dtype) flags.emplace_back("check_all_same_dtype");
  if (row.promote_inputs_to_common_dtype) flags.emplace_back("promote_inputs_to_common_dtype");
  if (row.promote_integer_inputs_to_float) flags.emplace_back("promote_integer_inputs_to_float");
  if (row.cast_common_dtype_to_outputs) flags.emplace_back("cast_common_dtype_to_outputs");
  if (row.enforce_safe_casting_to_output) flags.emplace_back("enforce_safe_casting_to_output");
  if (row.static_dtype != DType::kUndefined) {
    flags.push_back(fmt::format("declare_static_dtype({})", name(row.static_dtype)));
  }
  return flags;
}

std::string text_of(DTypeResult result) {
  if (!result.ok()) return "none";
  return result.dtype() == DType::kUndefined ? "-" : std::string(name(result.dtype()));
}

}  // namespace upcast::tools
