// Tests promotion, at compile time where that is possible. The comparison with LibTorch is in
// oracle/libtorch.
#include "impl/promotion/promotion.h"

#include <gtest/gtest.h>

#include <vector>

namespace upcast {
namespace {

static_assert(promote_types(DType::kInt8, DType::kUInt8) == DTypeResult(DType::kInt16));
static_assert(promote_types(DType::kFloat16, DType::kBFloat16) == DTypeResult(DType::kFloat32));
static_assert(promote_types(DType::kUInt16, DType::kFloat16) == DTypeResult(DType::kFloat16));
static_assert(!promote_types(DType::kUInt16, DType::kBool).ok());
static_assert(!promote_types(DType::kFloat8E5M2, DType::kFloat32).ok());
static_assert(can_cast(DType::kInt64, DType::kUInt8) && !can_cast(DType::kInt32, DType::kBool));
static_assert(!can_cast(DType::kComplex64, DType::kFloat64));

/// The trace of compute_types for int32[] and 2.5, with an output of int8. It can be made at
/// compile time.
constexpr PromotionTrace traced_cast() {
  PromotionTrace trace;
  constexpr std::array<TypedOperand, 2> kInputs{TypedOperand{DType::kInt32, Kind::kZeroDim},
                                                TypedOperand{DType::kFloat64, Kind::kWrapped}};
  static_cast<void>(
      compute_types(PromotionKind::kDefault,
                    {.inputs = kInputs, .out = DType::kInt8, .rules = {kPyTorchRules, &trace}}));
  return trace;
}
static_assert(traced_cast().entries()[1].as == DType::kFloat32);
static_assert(traced_cast().entries()[1].rule == Rule::kFloatingNumbersTakeTheDefault);
static_assert(traced_cast().combinations()[0].rule == Rule::kLowerFloatingPromotes);
static_assert(traced_cast().rules().back() == Rule::kFloatingNeverCastsToIntegral);
static_assert(!traced_cast().holds(Rule::kComplexNeverCastsToReal));

static_assert(Defaults{DType::kBFloat16}.complex() == DType::kComplex64);
static_assert(result_type({DType::kInt32, Kind::kDim}, {DType::kFloat64, Kind::kWrapped}, {}) ==
              DTypeResult(DType::kFloat32));

constexpr DType kAll[] = {DType::kBool,         DType::kUInt8,         DType::kInt8,
                          DType::kInt16,        DType::kInt32,         DType::kInt64,
                          DType::kUInt16,       DType::kUInt32,        DType::kUInt64,
                          DType::kFloat16,      DType::kBFloat16,      DType::kFloat32,
                          DType::kFloat64,      DType::kComplex32,     DType::kBComplex32,
                          DType::kComplex64,    DType::kComplex128,    DType::kFloat8E5M2,
                          DType::kFloat8E4M3FN, DType::kFloat8E8M0FNU, DType::kUndefined};
constexpr Kind kKinds[] = {Kind::kDim, Kind::kZeroDim, Kind::kWrapped};
constexpr DType kDefaultDTypes[] = {DType::kFloat32, DType::kFloat64, DType::kFloat16,
                                    DType::kBFloat16};

TEST(ResultType, OfTwoOperandsEqualsTheGeneralForm) {
  int checked = 0;
  for (const DType a : kAll)
    for (const DType b : kAll)
      for (const Kind first : kKinds)
        for (const Kind second : kKinds)
          for (const DType floating : kDefaultDTypes) {
            const TypedOperand operands[] = {{a, first}, {b, second}};
            EXPECT_EQ(result_type(operands[0], operands[1], {floating}),
                      result_type(operands, {floating}))
                << name(a) << " " << name(b);
            ++checked;
          }
  EXPECT_EQ(checked, 21 * 21 * 9 * 4);
}

TEST(ResultType, SkipsUndefinedOperands) {
  const TypedOperand operands[] = {{DType::kUndefined, Kind::kDim}, {DType::kInt8, Kind::kZeroDim}};
  EXPECT_EQ(result_type(operands, {}), DTypeResult(DType::kInt8));
  EXPECT_EQ(result_type(std::span<const TypedOperand>(), {}), DTypeResult(DType::kUndefined));
}

TEST(PromoteTypes, UndefinedIsTheUnitWhereItIsSkipped) {
  const DTypeResult error = PromotionError::kBits;
  for (const DTypeResult other : {DTypeResult(DType::kInt8), DTypeResult(), error}) {
    EXPECT_EQ(promote_skip_undefined(other, DType::kUndefined), other);
    EXPECT_EQ(promote_skip_undefined(DType::kUndefined, other), other);
    EXPECT_EQ(combine(other, DType::kUndefined), other);
    EXPECT_EQ(combine(DType::kUndefined, other), other);
  }
  EXPECT_EQ(promote_types(DType::kInt8, DType::kUndefined), DTypeResult());
}

TEST(ResultType, ANumberRaisesTheCategoryOnly) {
  const auto with_number = [](DType dtype, DType number, DType floating = DType::kFloat32) {
    return result_type({dtype, Kind::kDim}, {number, Kind::kWrapped}, {floating});
  };
  EXPECT_EQ(with_number(DType::kUInt8, DType::kInt64), DTypeResult(DType::kUInt8));
  EXPECT_EQ(with_number(DType::kBool, DType::kInt64), DTypeResult(DType::kInt64));
  EXPECT_EQ(with_number(DType::kInt64, DType::kFloat64, DType::kBFloat16),
            DTypeResult(DType::kBFloat16));
  EXPECT_EQ(with_number(DType::kBFloat16, DType::kComplex128), DTypeResult(DType::kBComplex32));
  EXPECT_EQ(with_number(DType::kFloat8E5M2, DType::kComplex128),
            DTypeResult(PromotionError::kNoComplexCounterpart));
}

Outcome<Promoted> types(PromotionKind kind, std::vector<TypedOperand> inputs,
                        DType out = DType::kUndefined, DType floating = DType::kFloat32) {
  return compute_types(kind, {.inputs = inputs, .out = out, .defaults = {floating}});
}

TEST(ComputeTypes, EachKindDerivesItsOwnResult) {
  const std::vector<TypedOperand> ints{{DType::kInt32, Kind::kDim}, {DType::kInt64, Kind::kDim}};
  EXPECT_EQ(types(PromotionKind::kDefault, ints).value(), (Promoted{DType::kInt64, DType::kInt64}));
  EXPECT_EQ(types(PromotionKind::kIntToFloat, ints).value(),
            (Promoted{DType::kFloat32, DType::kFloat32}));
  EXPECT_EQ(types(PromotionKind::kAlwaysBool, ints).value(),
            (Promoted{DType::kInt64, DType::kBool}));
  EXPECT_EQ(types(PromotionKind::kAlwaysDouble, ints).value(),
            (Promoted{DType::kFloat64, DType::kFloat64}));
  EXPECT_FALSE(types(PromotionKind::kSame, ints).ok());
  const std::vector<TypedOperand> boolean{{DType::kBool, Kind::kDim}};
  EXPECT_EQ(types(PromotionKind::kBoolToLong, boolean).value().result, DType::kInt64);
  const std::vector<TypedOperand> complex{{DType::kComplex64, Kind::kDim}};
  EXPECT_EQ(types(PromotionKind::kComplexToReal, complex).value().result, DType::kFloat32);
}

TEST(ComputeTypes, AnOutputIsCastToExactlyMatchedOrFree) {
  const std::vector<TypedOperand> floats{{DType::kFloat32, Kind::kDim}};
  EXPECT_EQ(types(PromotionKind::kDefault, floats, DType::kFloat16).value().result,
            DType::kFloat16);
  EXPECT_EQ(types(PromotionKind::kDefault, floats, DType::kInt32).rejection().code,
            RejectionCode::kResultCast);
  EXPECT_EQ(types(PromotionKind::kSame, floats, DType::kFloat64).rejection().code,
            RejectionCode::kDTypeMismatch);
  EXPECT_EQ(types(PromotionKind::kAlwaysBool, floats, DType::kFloat8E5M2).value().result,
            DType::kFloat8E5M2);
}

TEST(ComputeTypes, TheRealPartOfAComplexInputIsCastToOut) {
  const std::vector<TypedOperand> complex{{DType::kComplex64, Kind::kDim}};
  EXPECT_EQ(types(PromotionKind::kComplexToReal, complex, DType::kFloat64).value(),
            (Promoted{DType::kComplex64, DType::kFloat64}));
  EXPECT_EQ(types(PromotionKind::kComplexToReal, complex, DType::kInt32).rejection().code,
            RejectionCode::kResultCast);
}

TEST(ComputeTypes, ZeroDimOperandsOfOneDTypeStillAskResultType) {
  const std::vector<TypedOperand> number{{DType::kFloat64, Kind::kWrapped}};
  EXPECT_EQ(types(PromotionKind::kIntToFloat, number).value().common, DType::kFloat32);
}

TEST(Yields, ANumberAmongTensorsLeavesTheDTypeToThem) {
  constexpr TypedOperand kNumber{DType::kFloat64, Kind::kWrapped};
  constexpr TypedOperand kNone{};
  const auto number_yields = [&](TypedOperand other) {
    const std::array operands{kNumber, other};
    return yields(operands, 0);
  };
  EXPECT_TRUE(number_yields({DType::kFloat16, Kind::kDim}));
  EXPECT_TRUE(number_yields({DType::kFloat16, Kind::kZeroDim}));
  EXPECT_TRUE(number_yields({DType::kInt32, Kind::kDim})) << "it raises the category, no more";
  EXPECT_FALSE(number_yields(kNumber)) << "numbers alone decide";
  EXPECT_FALSE(number_yields(kNone)) << "an operand that is left out";
}

TEST(Yields, AZeroDimTensorDoesSoNearDimensionsOfItsCategoryOrAHigherOne) {
  const auto zero_dim_yields = [](DType dtype, TypedOperand other) {
    const std::array operands{other, TypedOperand{dtype, Kind::kZeroDim}};
    return yields(operands, 1);
  };
  EXPECT_TRUE(zero_dim_yields(DType::kFloat64, {DType::kFloat16, Kind::kDim}));
  EXPECT_TRUE(zero_dim_yields(DType::kInt64, {DType::kFloat16, Kind::kDim}));
  EXPECT_FALSE(zero_dim_yields(DType::kFloat16, {DType::kInt64, Kind::kDim}));
  EXPECT_FALSE(zero_dim_yields(DType::kFloat64, {DType::kFloat16, Kind::kZeroDim}));
  EXPECT_FALSE(zero_dim_yields(DType::kFloat64, {DType::kFloat16, Kind::kWrapped}));
  const std::array dims{TypedOperand{DType::kInt64, Kind::kDim},
                        TypedOperand{DType::kFloat16, Kind::kDim}};
  EXPECT_FALSE(yields(dims, 0)) << "dimensions never do";
}

TEST(Rules, EachHasItsSentence) {
  for (int i = 0; i < kRuleCount; ++i) EXPECT_FALSE(describe(static_cast<Rule>(i)).empty());
}

TEST(Rules, ABrokenCopyDiffersAndTheOriginalStays) {
  const Rules broken =
      kPyTorchRules.with_cell(DType::kInt8, DType::kUInt8, DTypeResult(DType::kInt8));
  EXPECT_EQ(promote_types(DType::kInt8, DType::kUInt8, broken), DTypeResult(DType::kInt8));
  EXPECT_EQ(promote_types(DType::kInt8, DType::kUInt8), DTypeResult(DType::kInt16));
}

}  // namespace
}  // namespace upcast
