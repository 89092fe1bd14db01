// result_type: operands enter three slots by priority, the slots combine.
#pragma once

#include <span>

#include "impl/promotion/promote_types.h"

namespace upcast {

/// What promotion sees of an operand's shape. Priority falls from kDim to kWrapped.
enum class Kind : std::uint8_t { kDim, kZeroDim, kWrapped };

constexpr std::string_view name(Kind kind) {
  constexpr std::array<std::string_view, 3> kNames{"dim", "zero_dim", "wrapped"};
  return kNames[static_cast<int>(kind)];
}

/// An operand as promotion sees it. dtype kUndefined: no tensor.
struct TypedOperand {
  DType dtype = DType::kUndefined;
  Kind kind = Kind::kDim;
};

/// The default dtype of a session. LibTorch's C++ setter takes any dtype.
struct Defaults {
  DType floating = DType::kFloat32;

  /// complex32 for float16, complex128 for float64, complex64 for every other default (bfloat16
  /// too, although bcomplex32 exists).
  constexpr DType complex(const Rules& rules = kPyTorchRules) const {
    if (floating == DType::kFloat16 && rules.holds(Rule::kFloat16DefaultGivesComplex32))
      return DType::kComplex32;
    if (floating == DType::kFloat64 && rules.holds(Rule::kFloat64DefaultGivesComplex128))
      return DType::kComplex128;
    return rules.holds(Rule::kOtherDefaultsGiveComplex64) ? DType::kComplex64
                                                          : to_complex(floating);
  }
};

/// One slot for each kind; kUndefined where no operand of that kind has been seen.
struct ResultTypeState {
  DTypeResult dim, zero_dim, wrapped;

  constexpr DTypeResult& slot(Kind kind) {
    return kind == Kind::kDim ? dim : kind == Kind::kZeroDim ? zero_dim : wrapped;
  }
};

/// The dtype with which an operand enters its slot.
constexpr DType entering_dtype(TypedOperand operand, Defaults defaults,
                               const Rules& rules = kPyTorchRules) {
  if (operand.kind != Kind::kWrapped) return operand.dtype;
  if (is_complex(operand.dtype) && rules.holds(Rule::kComplexNumbersTakeTheDefaultComplex))
    return defaults.complex(rules);
  if (is_floating(operand.dtype) && rules.holds(Rule::kFloatingNumbersTakeTheDefault))
    return defaults.floating;
  if (!rules.holds(Rule::kIntegralNumbersKeepTheirDType) && is_integral(operand.dtype))
    return DType::kInt32;
  return operand.dtype;
}

/// The slot that an operand enters.
constexpr Kind entered_slot(Kind kind, const Rules& rules = kPyTorchRules) {
  switch (kind) {
    case Kind::kDim:
      return rules.holds(Rule::kDimTensorsFillTheDimSlot) ? Kind::kDim : Kind::kZeroDim;
    case Kind::kZeroDim:
      return rules.holds(Rule::kZeroDimTensorsFillTheZeroSlot) ? Kind::kZeroDim : Kind::kDim;
    case Kind::kWrapped:
      return rules.holds(Rule::kNumbersFillTheWrappedSlot) ? Kind::kWrapped : Kind::kZeroDim;
  }
  return kind;
}

/// An operand enters its slot.
constexpr ResultTypeState update(ResultTypeState state, TypedOperand operand, Defaults defaults,
                                 const Rules& rules = kPyTorchRules) {
  if (operand.dtype == DType::kUndefined) {
    if (!rules.holds(Rule::kUndefinedOperandsAreSkipped)) state.dim = PromotionError::kNoTableEntry;
    return state;
  }
  DTypeResult& slot = state.slot(entered_slot(operand.kind, rules));
  const DType entering = entering_dtype(operand, defaults, rules);
  if (rules.holds(Rule::kOperandsOfASlotPromote) || slot == DTypeResult(DType::kUndefined))
    slot = promote_skip_undefined(slot, entering, rules);
  return state;
}

/// Which rule decides when two slots combine.
constexpr Rule combining_rule(DType higher, DType lower, const Rules& rules = kPyTorchRules) {
  if (rules.holds(Rule::kHigherComplexStays) && is_complex(higher))
    return Rule::kHigherComplexStays;
  if (is_complex(lower)) {
    if (rules.holds(Rule::kLowerComplexKeepsHigherPrecision) && is_floating(higher))
      return Rule::kLowerComplexKeepsHigherPrecision;
    if (rules.holds(Rule::kLowerComplexReplacesIntegral))
      return Rule::kLowerComplexReplacesIntegral;
  }
  if (rules.holds(Rule::kHigherFloatingStays) && is_floating(higher))
    return Rule::kHigherFloatingStays;
  if (rules.holds(Rule::kHigherBoolPromotes) && is_bool(higher)) return Rule::kHigherBoolPromotes;
  if (rules.holds(Rule::kLowerFloatingPromotes) && is_floating(lower))
    return Rule::kLowerFloatingPromotes;
  if (rules.holds(Rule::kHigherIntegralStays)) return Rule::kHigherIntegralStays;
  return Rule::kHigherBoolPromotes;
}

/// A slot of lower priority changes the outcome only by raising its category. Undefined is the
/// unit.
constexpr DTypeResult combine(DTypeResult higher, DTypeResult lower,
                              const Rules& rules = kPyTorchRules) {
  if (!higher.ok() || lower == DTypeResult(DType::kUndefined)) return higher;
  if (!lower.ok() || higher == DTypeResult(DType::kUndefined)) return lower;
  switch (combining_rule(higher.dtype(), lower.dtype(), rules)) {
    case Rule::kLowerComplexKeepsHigherPrecision: {
      const DType complex = to_complex(higher.dtype());
      if (complex == DType::kUndefined) return PromotionError::kNoComplexCounterpart;
      return complex;
    }
    case Rule::kLowerComplexReplacesIntegral:
      return lower;
    case Rule::kHigherBoolPromotes:
    case Rule::kLowerFloatingPromotes:
      return promote_types(higher.dtype(), lower.dtype(), rules);
    default:
      return higher;
  }
}

constexpr DTypeResult result_type(const ResultTypeState& state,
                                  const Rules& rules = kPyTorchRules) {
  if (!rules.holds(Rule::kZeroDimCombinesBeforeDim))
    return combine(combine(state.dim, state.wrapped, rules), state.zero_dim, rules);
  return combine(state.dim, combine(state.zero_dim, state.wrapped, rules), rules);
}

/// torch.result_type of any number of operands.
constexpr DTypeResult result_type(std::span<const TypedOperand> operands, Defaults defaults,
                                  const Rules& rules = kPyTorchRules) {
  ResultTypeState state;
  for (const TypedOperand& operand : operands) state = update(state, operand, defaults, rules);
  return result_type(state, rules);
}

namespace internal {

inline constexpr int kKindCount = 3;
inline constexpr int kOperandCount = kKindCount * kDTypeCount;

/// An operand as an index: kDTypeCount dim ones, zero-dim ones, wrapped numbers.
constexpr int operand_index(TypedOperand operand) {
  return static_cast<int>(operand.kind) * kDTypeCount + code(operand.dtype);
}

/// result_type of two operands as look-ups in tables of bytes. No branches: kinds come in any
/// order, and a mispredicted branch costs more than all the rest.
struct PairTables {
  /// By default dtype, then operand: the operand with the dtype with which it enters its slot.
  std::array<std::array<std::uint8_t, kOperandCount>, kDTypeCount> entering{};
  /// By both operands.
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

/// torch.result_type of two operands; equal to the general form for all inputs.
constexpr DTypeResult result_type(TypedOperand a, TypedOperand b, Defaults defaults) {
  const auto& entering = internal::kPairTables.entering[code(defaults.floating)];
  return internal::kPairTables
      .outcome[entering[internal::operand_index(a)]][entering[internal::operand_index(b)]];
}

}  // namespace upcast
