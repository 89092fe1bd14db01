#include "oracle/deciding_rules.h"

#include <algorithm>
#include <array>

namespace upcast {
namespace {

TypedOperand typed(const Operand& operand) {
  if (operand.tag == Operand::Tag::kNumber) return {operand.number.dtype(), Kind::kWrapped};
  if (operand.tag != Operand::Tag::kTensor) return {};
  return {operand.dtype, operand.sizes.empty() ? Kind::kZeroDim : Kind::kDim};
}

struct Typed {
  std::array<TypedOperand, kMaxOperands> operands{};
  int count = 0;
};

/// Those that promote, in the order of the spec. An op of kind bool_to_long has one.
Typed promoting_operands(const Case& c) {
  Typed typed_operands;
  const OpSpec& spec = *c.op->spec;
  for (int position = 0; position < kMaxOperands; ++position) {
    if (spec.operands[position].empty() || (spec.unpromoted_operands >> position & 1) != 0)
      continue;
    const int at = c.schema().find(spec.operands[position]);
    if (at >= 0) typed_operands.operands[typed_operands.count++] = typed(c.arguments[at]);
  }
  if (spec.promotion == PromotionKind::kBoolToLong)  // promotes with the number 2
    typed_operands.operands[typed_operands.count++] = {DType::kInt64, Kind::kWrapped};
  return typed_operands;
}

/// Undefined where nothing fills the slot, or where it has no dtype.
DType dtype_or_none(DTypeResult slot) { return slot.ok() ? slot.dtype() : DType::kUndefined; }

Rule meet(DTypeResult higher, DTypeResult lower, DecidingRules& found) {
  const DType a = dtype_or_none(higher), b = dtype_or_none(lower);
  if (a == DType::kUndefined || b == DType::kUndefined) return Rule::kCount;
  const Rule rule = combining_rule(a, b);
  found.add(rule);
  return rule;
}

void add_entering_rules(TypedOperand operand, Defaults defaults, DTypeResult slot,
                        DecidingRules& found) {
  const Rule rule = entering_rule(operand);
  found.add(rule);
  if (operand.dtype == DType::kUndefined) return;
  if (slot != DTypeResult(DType::kUndefined)) found.add(Rule::kOperandsOfASlotPromote);
  if (operand.kind == Kind::kWrapped) found.add(Rule::kNumbersFillTheWrappedSlot);
  if (rule != Rule::kComplexNumbersTakeTheDefaultComplex) return;
  found.add(defaults.floating == DType::kFloat16   ? Rule::kFloat16DefaultGivesComplex32
            : defaults.floating == DType::kFloat64 ? Rule::kFloat64DefaultGivesComplex128
                                                   : Rule::kOtherDefaultsGiveComplex64);
}

DTypeResult combine_slots(const Typed& typed_operands, Defaults defaults, DecidingRules& found) {
  ResultTypeState slots;
  bool any_dim = false;
  for (int i = 0; i < typed_operands.count; ++i) {
    const TypedOperand operand = typed_operands.operands[i];
    add_entering_rules(operand, defaults, slots.slot(entered_slot(operand.kind)), found);
    any_dim = any_dim || (operand.dtype != DType::kUndefined && operand.kind == Kind::kDim);
    slots = update(slots, operand, defaults);
  }
  if (!any_dim) found.add(Rule::kAllZeroDimComputesResultType);
  const DTypeResult empty(DType::kUndefined);
  if (slots.zero_dim != empty && slots.wrapped != empty)  // then their order has a say
    found.add(Rule::kZeroDimCombinesBeforeDim);
  found.lower = meet(slots.zero_dim, slots.wrapped, found);
  const DTypeResult lower = combine(slots.zero_dim, slots.wrapped);
  found.upper = meet(slots.dim, lower, found);
  return combine(slots.dim, lower);
}

DType given_output(const Case& c) {
  if (c.form == Form::kOut) return c.out.dtype;
  if (c.form != Form::kInPlace) return DType::kUndefined;
  const std::string_view written = c.op->spec->written;
  return c.arguments[written.empty() ? 0 : std::max(0, c.schema().find(written))].dtype;
}

void add_output_rule(DType common, DType out, DecidingRules& found) {
  if (out == DType::kUndefined) return;
  found.add(Rule::kOutputMustBeCastable);
  if (!can_cast(common, out)) found.add(refusing_rule(common, out));
}

void add_kind_rules(const Case& c, DType common, DecidingRules& found) {
  const DType out = given_output(c);
  switch (c.op->spec->promotion) {
    case PromotionKind::kIntToFloat:
      if (is_bool(common) || is_integral(common)) {
        found.add(floating_rule(common));
        common = c.defaults.floating;
      }
      return add_output_rule(common, out, found);
    case PromotionKind::kAlwaysBool:
      return found.add(out == DType::kUndefined ? Rule::kComparisonAllocatesBool
                                                : Rule::kComparisonOutputKeepsItsDType);
    case PromotionKind::kSame:
      found.add(Rule::kSameKindChecksInputs);
      if (out != DType::kUndefined) found.add(Rule::kSameKindChecksOutput);
      return;
    case PromotionKind::kComplexToReal:
      if (!is_complex(common)) return;
      found.add(Rule::kComplexToRealTakesRealCounterpart);
      if (!is_complex(out)) add_output_rule(to_real(common), out, found);
      return;
    case PromotionKind::kBoolToLong:
      if (is_bool(c.arguments[0].dtype)) found.add(Rule::kBoolToLong);
      return add_output_rule(common, out, found);
    case PromotionKind::kDefault:
      return add_output_rule(common, out, found);
    case PromotionKind::kAlwaysDouble:
    case PromotionKind::kUnaryBool:
    case PromotionKind::kOwn:
      return;
  }
}

}  // namespace

Rule entering_rule(TypedOperand operand) {
  if (operand.dtype == DType::kUndefined) return Rule::kUndefinedOperandsAreSkipped;
  if (operand.kind == Kind::kDim) return Rule::kDimTensorsFillTheDimSlot;
  if (operand.kind == Kind::kZeroDim) return Rule::kZeroDimTensorsFillTheZeroSlot;
  if (is_complex(operand.dtype)) return Rule::kComplexNumbersTakeTheDefaultComplex;
  if (is_floating(operand.dtype)) return Rule::kFloatingNumbersTakeTheDefault;
  return Rule::kIntegralNumbersKeepTheirDType;
}

Rule floating_rule(DType common) {
  return is_bool(common)                              ? Rule::kBoolBecomesDefault
         : group(common) == Group::kBarebonesUnsigned ? Rule::kBarebonesUnsignedBecomesDefault
                                                      : Rule::kIntegralBecomesDefault;
}

Rule refusing_rule(DType from, DType to) {
  return is_complex(from)                       ? Rule::kComplexNeverCastsToReal
         : is_floating(from) && is_integral(to) ? Rule::kFloatingNeverCastsToIntegral
                                                : Rule::kOnlyBoolCastsToBool;
}

DecidingRules deciding_rules(const Case& c) {
  DecidingRules found;
  const Typed typed_operands = promoting_operands(c);
  if (typed_operands.count == 0) return found;
  if (c.op->spec->promotion == PromotionKind::kAlwaysDouble) found.add(Rule::kFloatPowerIsDouble);
  const DType common = dtype_or_none(combine_slots(typed_operands, c.defaults, found));
  if (common != DType::kUndefined) add_kind_rules(c, common, found);
  return found;
}

}  // namespace upcast
