// PyTorch's rules with one of them broken, which a suite has to notice.
#pragma once

#include "impl/promotion/promotion.h"

namespace upcast {

/// The wrong decision of a broken rule. It is another dtype, slot or rule than `decided`, the right
/// one.
constexpr std::uint8_t broken_outcome(Rule rule, std::uint8_t decided) {
  using enum DType;
  const auto is = [](auto outcome) { return static_cast<std::uint8_t>(outcome); };
  const DType dtype = dtype_from_code(decided);  // used only for rules that decide a dtype
  switch (rule) {
    case Rule::kUndefinedOperandsAreSkipped:
    case Rule::kOtherDefaultsGiveComplex64:
      return is(kComplex128);
    case Rule::kIntegralNumbersKeepTheirDType:
      return is(dtype == kInt64 ? kInt32 : dtype);
    case Rule::kDimTensorsFillTheDimSlot:
    case Rule::kNumbersFillTheWrappedSlot:
    case Rule::kZeroDimCombinesBeforeDim:
      return is(Kind::kZeroDim);
    case Rule::kZeroDimTensorsFillTheZeroSlot:
      return is(Kind::kDim);
    case Rule::kHigherIntegralStays:
      return is(Rule::kHigherBoolPromotes);
    case Rule::kComparisonAllocatesBool:
      return is(kUInt8);
    case Rule::kComparisonOutputKeepsItsDType:
      return is(kComplex128);  // complex128 can be cast to complex dtypes only
    case Rule::kSameKindChecksOutput:
      return is(dtype == kFloat32 ? kFloat64 : kFloat32);
    case Rule::kComplexToRealTakesRealCounterpart:
      return is(to_complex(dtype));
    case Rule::kBoolToLong:
      return is(kBool);
    case Rule::kFloatPowerIsDouble:
      return is(dtype == kFloat64 ? kFloat32 : kComplex64);
    default:
      return decided;
  }
}

constexpr Rules rules_without(Rule rule) {
  Rules broken = kPyTorchRules;
  broken.holding &= ~(std::uint64_t{1} << static_cast<int>(rule));
  broken.otherwise = &broken_outcome;
  return broken;
}

}  // namespace upcast
