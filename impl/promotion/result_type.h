// result_type gives the dtype of operands. Each operand enters one of three slots by its priority;
// then the slots combine.
#pragma once

#include <span>

#include "impl/promotion/promote_types.h"
#include "impl/promotion/promotion_trace.h"

namespace upcast {

/// The default dtype, which floating numbers take. LibTorch's C++ setter accepts any dtype.
struct Defaults {
  DType floating = DType::kFloat32;

  /// The default complex dtype: complex32 for a default dtype of float16, complex128 for float64,
  /// and complex64 for all others (also for bfloat16, although bcomplex32 exists).
  constexpr DType complex(TracedRules rules = kPyTorchRules) const {
    if (floating == DType::kFloat16 && rules.holds(Rule::kFloat16DefaultGivesComplex32))
      return DType::kComplex32;
    if (floating == DType::kFloat64 && rules.holds(Rule::kFloat64DefaultGivesComplex128))
      return DType::kComplex128;
    return rules.decide(Rule::kOtherDefaultsGiveComplex64, DType::kComplex64);
  }
};

/// The dtype with which an operand enters its slot; kUndefined for an undefined tensor.
constexpr DType entering_dtype(TypedOperand operand, Defaults defaults,
                               TracedRules rules = kPyTorchRules) {
  if (operand.dtype == DType::kUndefined)
    return rules.decide(Rule::kUndefinedOperandsAreSkipped, DType::kUndefined);
  if (operand.kind != Kind::kWrapped) return operand.dtype;
  if (is_complex(operand.dtype) && rules.holds(Rule::kComplexNumbersTakeTheDefaultComplex))
    return defaults.complex(rules);
  if (is_floating(operand.dtype) && rules.holds(Rule::kFloatingNumbersTakeTheDefault))
    return defaults.floating;
  return rules.decide(Rule::kIntegralNumbersKeepTheirDType, operand.dtype);
}

/// The slot that an operand of this kind enters.
constexpr Kind entered_slot(Kind kind, TracedRules rules = kPyTorchRules) {
  switch (kind) {
    case Kind::kDim:
      return rules.decide(Rule::kDimTensorsFillTheDimSlot, Kind::kDim);
    case Kind::kZeroDim:
      return rules.decide(Rule::kZeroDimTensorsFillTheZeroSlot, Kind::kZeroDim);
    case Kind::kWrapped:
      return rules.decide(Rule::kNumbersFillTheWrappedSlot, Kind::kWrapped);
  }
  return kind;
}

/// The state after `operand` has entered its slot. Its dtype promotes with the dtype that the slot
/// already has.
constexpr ResultTypeState update(ResultTypeState state, TypedOperand operand, Defaults defaults,
                                 TracedRules rules = kPyTorchRules) {
  const int decided_before = rules.trace == nullptr ? 0 : rules.trace->decided_count;
  const DType entering = entering_dtype(operand, defaults, rules);
  if (entering != DType::kUndefined) {
    DTypeResult& slot = state.slot(entered_slot(operand.kind, rules));
    if (slot == DTypeResult(DType::kUndefined) || rules.holds(Rule::kOperandsOfASlotPromote))
      slot = promote_skip_undefined(slot, entering, *rules.rules);
  }
  if (rules.trace != nullptr)
    rules.trace->note({operand, entering, rules.trace->rule_after(decided_before), state});
  return state;
}

/// The rule that decides when two filled slots combine.
constexpr Rule combining_rule(DType higher, DType lower, TracedRules rules = kPyTorchRules) {
  if (is_complex(higher) && rules.holds(Rule::kHigherComplexStays))
    return Rule::kHigherComplexStays;
  if (is_complex(lower)) {
    if (is_floating(higher) && rules.holds(Rule::kLowerComplexKeepsHigherPrecision))
      return Rule::kLowerComplexKeepsHigherPrecision;
    if (rules.holds(Rule::kLowerComplexReplacesIntegral))
      return Rule::kLowerComplexReplacesIntegral;
  }
  if (is_floating(higher) && rules.holds(Rule::kHigherFloatingStays))
    return Rule::kHigherFloatingStays;
  if (is_bool(higher) && rules.holds(Rule::kHigherBoolPromotes)) return Rule::kHigherBoolPromotes;
  if (is_floating(lower) && rules.holds(Rule::kLowerFloatingPromotes))
    return Rule::kLowerFloatingPromotes;
  return rules.decide(Rule::kHigherIntegralStays, Rule::kHigherIntegralStays);
}

/// The dtype that `rule` gives for two filled slots, or an error.
constexpr DTypeResult combine_by(Rule rule, DType higher, DType lower,
                                 const Rules& rules = kPyTorchRules) {
  switch (rule) {
    case Rule::kLowerComplexKeepsHigherPrecision: {
      const DType complex = to_complex(higher);
      if (complex == DType::kUndefined) return PromotionError::kNoComplexCounterpart;
      return complex;
    }
    case Rule::kLowerComplexReplacesIntegral:
      return lower;
    case Rule::kHigherBoolPromotes:
    case Rule::kLowerFloatingPromotes:
      return promote_types(higher, lower, rules);
    default:
      return higher;
  }
}

/// The dtype of two slots. It is that of the slot with higher priority, unless the other one has a
/// higher category. If one slot is empty (kUndefined), it is that of the other.
constexpr DTypeResult combine(DTypeResult higher, DTypeResult lower,
                              TracedRules rules = kPyTorchRules) {
  const DTypeResult empty(DType::kUndefined);
  PromotionTrace::Combined step{higher, lower, {}};
  if (!higher.ok() || lower == empty) {
    step.result = higher;
  } else if (!lower.ok() || higher == empty) {
    step.result = lower;
  } else {
    step.rule = combining_rule(higher.dtype(), lower.dtype(), rules);
    step.result = combine_by(step.rule, higher.dtype(), lower.dtype(), *rules.rules);
  }
  if (rules.trace != nullptr) rules.trace->note(step);
  return step.result;
}

constexpr DTypeResult result_type(ResultTypeState state, TracedRules rules = kPyTorchRules) {
  const DTypeResult empty(DType::kUndefined);
  const bool order_matters = state.zero_dim != empty && state.wrapped != empty;
  const Kind last =
      order_matters ? rules.decide(Rule::kZeroDimCombinesBeforeDim, Kind::kDim) : Kind::kDim;
  return combine(state.slot(last), combine(state.zero_dim, state.wrapped, rules), rules);
}

/// result_type of any number of operands, as torch.result_type.
constexpr DTypeResult result_type(std::span<const TypedOperand> operands, Defaults defaults,
                                  TracedRules rules = kPyTorchRules) {
  ResultTypeState state;
  for (const TypedOperand& operand : operands) state = update(state, operand, defaults, rules);
  return result_type(state, rules);
}

namespace internal {

inline constexpr int kKindCount = 3;
inline constexpr int kOperandCount = kKindCount * kDTypeCount;

/// The index of an operand in PairTables: all dtypes as dim come first, then as zero-dim, then as
/// wrapped.
constexpr int operand_index(TypedOperand operand) {
  return static_cast<int>(operand.kind) * kDTypeCount + code(operand.dtype);
}

/// Tables of bytes that give result_type of two operands by look-up. They save branches: kinds come
/// in any order, and one mispredicted branch costs more than all the look-ups.
struct PairTables {
  /// entering[default dtype][operand] is the index of the operand with the dtype with which it
  /// enters its slot.
  std::array<std::array<std::uint8_t, kOperandCount>, kDTypeCount> entering{};
  /// outcome[a][b] is the result for two operands that have entered their slots.
  std::array<std::array<DTypeResult, kOperandCount>, kOperandCount> outcome{};
};

constexpr PairTables pair_tables(const Rules& rules) {
  PairTables tables;
  for (int a = 0; a < kDTypeCount; ++a) {
    for (int b = 0; b < kDTypeCount; ++b) {
      const DType first = dtype_from_code(a);
      const DType second = dtype_from_code(b);
      const auto enters_as = [&tables, a, second](Kind kind, DType dtype) {
        tables.entering[a][operand_index({second, kind})] =
            static_cast<std::uint8_t>(operand_index({dtype, kind}));
      };
      enters_as(Kind::kDim, second);
      enters_as(Kind::kZeroDim, second);
      enters_as(Kind::kWrapped, entering_dtype({second, Kind::kWrapped}, Defaults{first}, rules));
      const DTypeResult of_one_slot = promote_skip_undefined(first, second, rules);
      const DTypeResult first_is_higher = combine(first, second, rules);
      for (int higher = 0; higher < kKindCount; ++higher) {
        const int row = higher * kDTypeCount;
        tables.outcome[row + a][row + b] = of_one_slot;
        for (int lower = higher + 1; lower < kKindCount; ++lower) {
          const int column = lower * kDTypeCount;
          tables.outcome[row + a][column + b] = first_is_higher;
          tables.outcome[column + b][row + a] = first_is_higher;
        }
      }
    }
  }
  return tables;
}

inline constexpr PairTables kPairTables = pair_tables(kPyTorchRules);

}  // namespace internal

/// torch.result_type of two operands, by look-up. It equals the general form for all inputs.
constexpr DTypeResult result_type(TypedOperand a, TypedOperand b, Defaults defaults) {
  const auto& entering = internal::kPairTables.entering[code(defaults.floating)];
  return internal::kPairTables
      .outcome[entering[internal::operand_index(a)]][entering[internal::operand_index(b)]];
}

}  // namespace upcast
