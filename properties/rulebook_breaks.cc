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
    "absorbs; promote_types of dtypes alone says float64 and loses that it is weak: with weak "
    "types "
    "as nodes the lattice is associative";
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

constexpr std::array<Break, 43> kBreaks{{
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
    {"ResultTypeIsAssociative", "rulebook:pytorch", "clamp.Tensor(bool[], 0.5, float16[])",
     "by design, as impl:cpu"},
    {"ResultTypeIsAssociative", "rulebook:numpy-legacy", "clamp.Tensor(int8[], uint8[], bool[1])",
     kValues},

    {"ResultTypeIsAssociative", "rulebook:jax-x64", "clamp.Tensor(float32[], uint64[], int8[1])",
     kWeakFloat},
    {"ResultTypeIsAssociative", "rulebook:jax-x32", "clamp.Tensor(bool[], 0.5, float16[])",
     "a bool with 0.5 is a weakly typed float; as a dtype alone it is float32"},
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
    {"GroupingDoesNotDecideWhatIsRefused", "rulebook:pytorch",
     "clamp.Tensor(float32[1], uint16[1], bool[1])", "by design, as impl:cpu"},
}};

}  // namespace

std::span<const Break> rulebook_breaks() { return kBreaks; }

}  // namespace upcast::properties
