// PyTorch's promotion as data: a table of pairs and a list of named rules. `upcast explain` prints
// the rules' sentences. A test breaks each cell and each rule, one at a time, and demands that the
// promotion grid notices.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "impl/promotion/dtype_result.h"

namespace upcast {

enum class Rule : std::uint8_t {
  // Rules about how an operand enters its slot; the function `update` of result_type.h uses them.
  kUndefinedOperandsAreSkipped,
  kFloatingNumbersTakeTheDefault,
  kComplexNumbersTakeTheDefaultComplex,
  kIntegralNumbersKeepTheirDType,
  kDimTensorsFillTheDimSlot,
  kZeroDimTensorsFillTheZeroSlot,
  kNumbersFillTheWrappedSlot,
  kOperandsOfASlotPromote,
  // Rules about the default complex dtype.
  kFloat16DefaultGivesComplex32,
  kFloat64DefaultGivesComplex128,
  kOtherDefaultsGiveComplex64,
  // Rules about combining a slot of lower priority with one of higher priority; the function
  // `combine` uses them.
  kHigherComplexStays,
  kLowerComplexKeepsHigherPrecision,
  kLowerComplexReplacesIntegral,
  kHigherFloatingStays,
  kHigherBoolPromotes,
  kLowerFloatingPromotes,
  kHigherIntegralStays,
  kZeroDimCombinesBeforeDim,
  // compute_types
  kAllZeroDimComputesResultType,
  kIntegralBecomesDefault,
  kBoolBecomesDefault,
  kBarebonesUnsignedBecomesDefault,
  kComparisonAllocatesBool,
  kComparisonOutputKeepsItsDType,
  kOutputMustBeCastable,
  kSameKindChecksInputs,
  kSameKindChecksOutput,
  kComplexToRealTakesRealCounterpart,
  kBoolToLong,
  kFloatPowerIsDouble,
  // can_cast
  kComplexNeverCastsToReal,
  kFloatingNeverCastsToIntegral,
  kOnlyBoolCastsToBool,
  kCount
};

inline constexpr int kRuleCount = static_cast<int>(Rule::kCount);

/// Describes the rule as a sentence.
constexpr std::string_view describe(Rule rule) {
  constexpr std::array<std::string_view, kRuleCount> kSentences{
      "an undefined operand is skipped",
      "a floating wrapped number takes the default dtype",
      "a complex wrapped number takes the default complex dtype",
      "a bool or integral wrapped number keeps bool or int64",
      "a tensor of one or more dimensions enters the dim slot",
      "a zero-dim tensor enters the zero_dim slot",
      "a wrapped number enters the wrapped slot",
      "operands of one slot promote by promote_types",
      "the default complex dtype of float16 is complex32",
      "the default complex dtype of float64 is complex128",
      "the default complex dtype of every other default is complex64",
      "a complex slot of higher priority stays",
      "a complex slot of lower priority makes a floating one complex of the same precision",
      "a complex slot of lower priority replaces an integral or bool one",
      "a floating slot of higher priority stays",
      "a bool slot of higher priority promotes with the lower one",
      "a floating slot of lower priority promotes an integral one",
      "an integral slot of higher priority stays",
      "zero_dim and wrapped combine first, then dim with the outcome",
      "when all operands are zero-dim, result_type decides even for equal dtypes",
      "an integral common dtype becomes the default dtype",
      "a bool common dtype becomes the default dtype",
      "a uint16, uint32 or uint64 common dtype becomes the default dtype",
      "a comparison allocates a bool result",
      "a comparison writes any out dtype",
      "the common dtype must be castable to the out dtype",
      "inputs must have one dtype",
      "out must have the dtype of the input",
      "the result is the real counterpart of a complex common dtype",
      "bool becomes int64",
      "computed in float64, or complex128 when an operand is complex",
      "complex never casts to a real dtype",
      "floating never casts to an integral dtype",
      "only bool casts to bool"};
  return kSentences[static_cast<int>(rule)];
}

using PairTable = std::array<std::array<DTypeResult, kDTypeCount>, kDTypeCount>;

/// A promotion system with PyTorch's table and rules, any of which may be changed. `kPyTorchRules`
/// is PyTorch itself; tests make others.
struct Rules {
  PairTable promote{};
  std::uint64_t holding = ~std::uint64_t{0};
  /// Gives the decision that replaces a rule that does not hold. All of PyTorch's rules hold. The
  /// function is set only to see whether broken rules are noticed (oracle/planted/broken_rules.h).
  std::uint8_t (*otherwise)(Rule rule, std::uint8_t decided) = nullptr;

  constexpr bool holds(Rule rule) const { return (holding >> static_cast<int>(rule)) & 1; }
  constexpr Rules with_cell(DType a, DType b, DTypeResult wrong) const {
    Rules broken = *this;
    broken.promote[code(a)][code(b)] = wrong;
    return broken;
  }
};
static_assert(kRuleCount <= 64);

}  // namespace upcast
