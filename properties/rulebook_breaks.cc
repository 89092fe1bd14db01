// Which rule books break which property of promotion, by design: each with its counterexample.
#include <array>

#include "properties/property.h"

namespace upcast::properties {
namespace {

constexpr std::string_view kPrinted =
    "the thesis prints a table with misprints: bool with an integral dtype depends on the order, "
    "and float64 with complex64 is complex64";
constexpr std::string_view kMixedSigns =
    "a signed and an unsigned integer meet in a wider one, uint64 and a signed one in float64, so "
    "that a floating dtype that comes later finds another partner";
constexpr std::string_view kUint64IsFloating =
    "uint64 has no common integer with a signed dtype: float64 is taken";
constexpr std::string_view kWeakFloat =
    "in JAX's lattice uint64 and a signed integer meet in a weakly typed float, which float32 "
    "absorbs; promote_types of dtypes alone says float64 and loses that it is weak. Where it is "
    "kept, the lattice is associative: ResultTypeIsAssociative";
constexpr std::string_view kValues =
    "NumPy before version 2 looks at the kinds and values of scalars";

constexpr std::string_view kMisprint =
    "Paddle's document prints two cells of complex64 wrong: with int64 behind it complex128, with "
    "float64 behind it complex64";
constexpr std::string_view kCastToComplex =
    "Paddle 2.6's functions cast a real operand to the complex one's dtype, whatever its precision";
constexpr std::string_view kIntegersApart =
    "Paddle refuses bool and integers beside one another, but takes each beside a complex dtype: "
    "the table is not associative";

constexpr std::string_view kSafeCasts =
    "can_cast is about safe casts: promote_types gives the target";
constexpr std::string_view kLeftOperand =
    "Paddle 2.6's operators cast the right operand to the left one's dtype";
constexpr std::string_view kFullOperand = "a zero-dim array counts as any other array";
constexpr std::string_view kTableForZeroDim =
    "a zero-dim operand of another class joins the promotion table with its width";
constexpr std::string_view kNarrow = "without x64 arrays have 32 bits at most";
constexpr std::string_view kNoComplexHalf = "float16 becomes complex64: there is no complex32";
constexpr std::string_view kNoDefault = "there is no default dtype that can be set";

constexpr std::array<Break, 91> kBreaks{{
    {"PromoteTypesIsCommutative", "rulebook:thesis", "promote_types(bool, uint8)", kPrinted},
    {"PromoteTypesIsAssociative", "rulebook:thesis", "clamp.Tensor(int8[1], bool[1], bool[1])",
     kPrinted},
    {"PromoteTypesIsAssociative", "rulebook:numpy-legacy",
     "clamp.Tensor(int8[1], uint16[1], float32[1])", kMixedSigns},
    {"PromoteTypesIsAssociative", "rulebook:nep50", "clamp.Tensor(int8[1], uint16[1], float32[1])",
     kMixedSigns},
    {"PromoteTypesIsAssociative", "rulebook:jax-x64",
     "clamp.Tensor(int8[1], uint64[1], float32[1])", kWeakFloat},
    {"PromoteTypesIsAssociative", "rulebook:jax-x32",
     "clamp.Tensor(int8[1], uint64[1], float32[1])", kWeakFloat},
    {"PromoteTypesIsAnUpperBound", "rulebook:thesis", "promote_types(int8, bool)", kPrinted},
    {"NoCommonUpperBoundIsBelowTheResult", "rulebook:thesis", "promote_types(int8, bool)",
     kPrinted},
    {"NoCommonUpperBoundIsBelowTheResult", "rulebook:numpy-legacy", "promote_types(int8, uint8)",
     kMixedSigns},
    {"NoCommonUpperBoundIsBelowTheResult", "rulebook:nep50", "promote_types(int8, uint8)",
     kMixedSigns},
    {"NoCommonUpperBoundIsBelowTheResult", "rulebook:jax-x64", "promote_types(uint64, int8)",
     kWeakFloat},
    {"NoCommonUpperBoundIsBelowTheResult", "rulebook:jax-x32", "promote_types(uint64, int8)",
     kWeakFloat},
    {"PromoteTypesIsMonotone", "rulebook:thesis", "clamp.Tensor(bool[1], bool[1], int64[1])",
     kPrinted},
    {"PromoteTypesIsMonotone", "rulebook:jax-x64", "clamp.Tensor(int8[1], float32[1], uint64[1])",
     kWeakFloat},
    {"PromoteTypesIsMonotone", "rulebook:jax-x32", "clamp.Tensor(int8[1], float32[1], uint64[1])",
     kWeakFloat},
    {"PromoteTypesHasTheHigherCategory", "rulebook:thesis", "promote_types(uint8, bool)", kPrinted},
    {"PromoteTypesHasTheHigherCategory", "rulebook:numpy-legacy", "promote_types(uint64, int8)",
     kUint64IsFloating},
    {"PromoteTypesHasTheHigherCategory", "rulebook:nep50", "promote_types(uint64, int8)",
     kUint64IsFloating},
    {"PromoteTypesHasTheHigherCategory", "rulebook:jax-x64", "promote_types(uint64, int8)",
     kUint64IsFloating},
    {"PromoteTypesHasTheHigherCategory", "rulebook:jax-x32", "promote_types(uint64, int8)",
     kUint64IsFloating},
    {"PromoteTypesKeepsThePrecision", "rulebook:thesis", "promote_types(complex64, float64)",
     kPrinted},
    {"ResultTypeIsAssociative", "rulebook:numpy-legacy", "clamp.Tensor(int8[], uint8[], bool[1])",
     kValues},
    {"ComplexDTypesPromoteAsTheirPartsDo", "rulebook:thesis", "promote_types(complex64, complex64)",
     "the table that the thesis prints has no float16 beside float32"},
    {"PromoteTypesIsMonotone", "rulebook:numpy-legacy",
     "clamp.Tensor(uint8[1], float16[1], int8[1])", kMixedSigns},
    {"PromoteTypesIsMonotone", "rulebook:nep50", "clamp.Tensor(uint8[1], float16[1], int8[1])",
     kMixedSigns},
    {"ResultTypeIsAssociative", "rulebook:proposal-9515", "clamp.Tensor(bool[], 0.5, float16[])",
     "a bool tensor with 0.5 is a float32 tensor, which participates where the number would not"},
    {"ResultTypeIsAssociative", "rulebook:nep50", "clamp.Tensor(uint8[1], bool[], 1)",
     "a bool array with the Python number 1 is an int64 array, which is not weak"},
    {"PromoteTypesIsCommutative", "rulebook:paddle-document", "promote_types(int64, complex64)",
     kMisprint},
    {"PromoteTypesIsAnUpperBound", "rulebook:paddle-document", "promote_types(complex64, float64)",
     kMisprint},
    {"NoCommonUpperBoundIsBelowTheResult", "rulebook:paddle-document",
     "promote_types(complex64, int64)", kMisprint},
    {"PromoteTypesIsMonotone", "rulebook:paddle-document",
     "clamp.Tensor(float32[1], complex64[1], float64[1])", kMisprint},
    {"PromoteTypesKeepsThePrecision", "rulebook:paddle-document",
     "promote_types(complex64, float64)", kMisprint},
    {"PromoteTypesKeepsThePrecision", "rulebook:paddle-2.6", "promote_types(float64, complex64)",
     kCastToComplex},
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:paddle",
     "clamp.Tensor(complex64[1], bool[1], uint8[1])", kIntegersApart},
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:paddle-document",
     "clamp.Tensor(complex64[1], bool[1], bool[1])", kIntegersApart},
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:paddle-2.6",
     "clamp.Tensor(complex64[1], uint8[1], int8[1])", kIntegersApart},
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:jax-x64",
     "clamp.Tensor(uint64[1], int8[1], float8_e5m2[1])", kWeakFloat},
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:jax-x32",
     "clamp.Tensor(uint64[1], int8[1], float8_e5m2[1])", kWeakFloat},
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:thesis",
     "clamp.Tensor(complex64[1], bool[1], uint8[1])", kPrinted},
    {"PromoteTypesIsAssociative", "rulebook:paddle-document",
     "clamp.Tensor(complex64[1], int64[1], complex64[1])", kMisprint},
    {"CanCastFollowsTheCategory", "rulebook:numpy-legacy", "can_cast(int8, uint8)", kSafeCasts},
    {"CanCastFollowsTheCategory", "rulebook:nep50", "can_cast(int8, uint8)", kSafeCasts},
    {"CanCastFollowsTheCategory", "rulebook:array-api", "can_cast(bool, uint8)", kSafeCasts},
    {"ResultTypeIgnoresTheOrderOfOperands", "rulebook:paddle-document",
     "clamp.Tensor(int64[1], complex64[], None)", kMisprint},
    {"ResultTypeIgnoresTheOrderOfOperands", "rulebook:paddle-2.6",
     "clamp.Tensor(bool[], uint8[], None)", kLeftOperand},
    {"ResultTypeIgnoresTheOrderOfOperands", "rulebook:numpy-legacy",
     "clamp.Tensor(int8[1], bool[1], 1)", kValues},
    {"ResultTypeIsAssociative", "rulebook:paddle", "clamp.Tensor(float64[], float32[1], 1+1j)",
     "a zero-dim tensor of the class yields, and a complex number with what is left takes its "
     "width"},
    {"ResultTypeIsAssociative", "rulebook:paddle-document", "clamp.Tensor(bool[], 1+1j, int64[1])",
     kMisprint},
    {"ResultTypeIsAssociative", "rulebook:paddle-2.6", "clamp.Tensor(bool[], bool[], 0.5)",
     kLeftOperand},
    {"ResultTypeHasTheHighestCategory", "rulebook:proposal-9515", "clamp.Tensor(True, None, None)",
     "bool is of the category of integers there"},
    {"ResultTypeHasTheHighestCategory", "rulebook:paddle-2.6", "clamp.Tensor(1, bool[], None)",
     kLeftOperand},
    {"ResultTypeHasTheHighestCategory", "rulebook:numpy-legacy",
     "clamp.Tensor(int8[1], uint64[1], None)", kUint64IsFloating},
    {"ResultTypeHasTheHighestCategory", "rulebook:nep50", "clamp.Tensor(int8[1], uint64[1], None)",
     kUint64IsFloating},
    {"ResultTypeHasTheHighestCategory", "rulebook:jax-x64",
     "clamp.Tensor(int8[1], uint64[1], None)", kUint64IsFloating},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:numpy-legacy",
     "clamp.Tensor(uint8[], 18446744073709551614, None)", kValues},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:nep50", "clamp.Tensor(uint8[], None, int8[1])",
     kFullOperand},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:jax-x64",
     "clamp.Tensor(uint8[], None, int8[1])", kFullOperand},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:jax-x32",
     "clamp.Tensor(uint8[], None, int8[1])", kFullOperand},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:array-api",
     "clamp.Tensor(uint8[], None, int8[1])", kFullOperand},
    {"ANumberNeverWidensWithinItsCategory", "rulebook:numpy-legacy",
     "clamp.Tensor(uint8[], 1, None)", kValues},
    {"ANumberNeverWidensWithinItsCategory", "rulebook:jax-x32",
     "clamp.Tensor(int64[1], True, None)", kNarrow},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:proposal-9515",
     "clamp.Tensor(bool[1], 1, None)", "bool is of the category of integers there"},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:paddle",
     "clamp.Tensor(float16[], 1+1j, None)", kNoComplexHalf},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:paddle-document",
     "clamp.Tensor(float16[], 1+1j, None)", kNoComplexHalf},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:paddle-2.6",
     "clamp.Tensor(float32[], 1+1j, None)", kLeftOperand},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:numpy-legacy",
     "clamp.Tensor(float16[1], 1+1j, None)", kNoComplexHalf},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:nep50",
     "clamp.Tensor(float16[1], 1+1j, None)", kNoComplexHalf},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:jax-x64",
     "clamp.Tensor(float16[1], 1+1j, None)", kNoComplexHalf},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:jax-x32",
     "clamp.Tensor(float16[1], 1+1j, None)", kNoComplexHalf},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:paddle",
     "clamp.Tensor(complex64[1], float64[], None)", kTableForZeroDim},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:paddle-document",
     "clamp.Tensor(float16[1], float32[], None)", kFullOperand},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:paddle-2.6",
     "clamp.Tensor(float16[1], float32[], None)", kFullOperand},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:nep50", "clamp.Tensor(uint8[1], int8[], None)",
     kFullOperand},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:jax-x64", "clamp.Tensor(uint8[1], int8[], None)",
     kFullOperand},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:jax-x32", "clamp.Tensor(uint8[1], int8[], None)",
     kFullOperand},
    {"AZeroDimTensorIsBelowADimTensor", "rulebook:array-api",
     "clamp.Tensor(float32[1], float64[], None)", kFullOperand},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:proposal-9515",
     "clamp.Tensor(bool[], True, None)", "bool is of the category of integers there"},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:numpy-legacy",
     "clamp.Tensor(bool[1], 0.5, None)", kNoDefault},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:nep50",
     "clamp.Tensor(bool[1], 0.5, None)", kNoDefault},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:jax-x64",
     "clamp.Tensor(bool[1], 0.5, None)", kNoDefault},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:jax-strict",
     "clamp.Tensor(bool[1], 0.5, None)", kNoDefault},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:jax-x32",
     "clamp.Tensor(bool[1], 0.5, None) @default=float64", kNoDefault},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:numpy-legacy",
     "clamp.Tensor(bool[], 1+1j, None)", kNoDefault},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:nep50",
     "clamp.Tensor(bool[], 1+1j, None)", kNoDefault},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:jax-x64",
     "clamp.Tensor(bool[], 1+1j, None)", kNoDefault},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:jax-strict",
     "clamp.Tensor(bool[], 1+1j, None)", kNoDefault},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:jax-x32",
     "clamp.Tensor(bool[], 1+1j, None) @default=float64", kNoDefault},
    {"ResultTypeOfDimTensorsIsPromoteTypes", "rulebook:paddle-2.6",
     "clamp.Tensor(bool[1], uint8[1], bool[1])",
     "operators take the left operand's dtype, and functions, which stand for promote_types here, "
     "refuse"},
    {"ResultTypeOfDimTensorsIsPromoteTypes", "rulebook:jax-x32",
     "clamp.Tensor(bool[1], int64[1], bool[1])", kNarrow},
    {"ResultTypeOfOneTensorIsItsDType", "rulebook:jax-x32", "clamp.Tensor(int64[1], None, None)",
     kNarrow},
    {"AllZeroDimIsAsAllDim", "rulebook:paddle", "clamp.Tensor(bool[1], uint8[], None)",
     "a zero-dim operand lifts the refusal of integers beside others"},
}};

constexpr std::string_view kNothingAlone = "it says nothing of one operand alone";
constexpr std::string_view kTwoAtMost =
    "it says nothing of one operand alone, nor of more than two";
constexpr std::string_view kNoComplex = "it has no complex dtype beside the floating ones";

constexpr std::array<Silence, 24> kSilences{{
    {"PromoteTypesOfIntegersHoldsBoth", "rulebook:paddle-document",
     "its table refuses all integers, equal ones too (P3)"},
    {"ADTypePromotesToItsComplexCounterpart", "rulebook:proposal-9515", kNoComplex},
    {"ADTypePromotesToItsComplexCounterpart", "rulebook:thesis", kNoComplex},
    {"ADTypePromotesToItsComplexCounterpart", "rulebook:jax-strict",
     "strict mode mixes no two dtypes"},
    {"ComplexDTypesPromoteAsTheirPartsDo", "rulebook:proposal-9515", kNoComplex},
    {"ResultTypeOfOneTensorIsItsDType", "rulebook:paddle", kNothingAlone},
    {"ResultTypeOfOneTensorIsItsDType", "rulebook:paddle-document", kNothingAlone},
    {"ResultTypeOfOneTensorIsItsDType", "rulebook:paddle-2.6", kNothingAlone},
    {"AnOperandTwiceCountsOnce", "rulebook:paddle", kTwoAtMost},
    {"AnOperandTwiceCountsOnce", "rulebook:paddle-document", kTwoAtMost},
    {"AnOperandTwiceCountsOnce", "rulebook:paddle-2.6", kTwoAtMost},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:paddle", kTwoAtMost},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:paddle-document", kTwoAtMost},
    {"LowerPriorityOnlyRaisesTheCategory", "rulebook:paddle-2.6", kTwoAtMost},
    {"ANumberOfHigherCategoryBringsTheDefault", "rulebook:jax-strict",
     "strict mode refuses a number of higher category"},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:paddle", kNothingAlone},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:paddle-document", kNothingAlone},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:paddle-2.6", kNothingAlone},
    {"AFloatingNumberAloneIsOfTheDefaultDType", "rulebook:array-api", kNothingAlone},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:paddle", kNothingAlone},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:paddle-document", kNothingAlone},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:paddle-2.6", kNothingAlone},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:array-api", kNothingAlone},
    {"TheDefaultComplexDTypeFollowsTheDefault", "rulebook:proposal-9515", kNoComplex},
}};

}  // namespace

std::span<const Break> rulebook_breaks() { return kBreaks; }
std::span<const Silence> rulebook_silences() { return kSilences; }

}  // namespace upcast::properties
