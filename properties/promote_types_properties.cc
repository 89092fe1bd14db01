// Properties of promote_types, as far as dtypes form a lattice, and of can_cast, which must agree
// with it.
#include <algorithm>

#include "properties/checks.h"
#include "properties/generators.h"
#include "properties/spoilers.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Result = std::optional<DType>;

DType dtype_at(const Case& c, std::size_t i) { return c.arguments[i].dtype; }

Result promote(const System& system, Result a, Result b) {
  return a && b ? system.promotion->promote_types(*a, *b) : Result();
}

/// Whether dtype a is at or below dtype b in the order of promotion: promote_types(a, b) is b.
bool is_below(const System& system, DType a, DType b) {
  return system.promotion->promote_types(a, b) == b;
}

Category highest(DType a, DType b) { return std::max(category(a), category(b)); }

Finding check_commutes(const System& system, const Case& c) {
  const Result ab = promote(system, dtype_at(c, 0), dtype_at(c, 1));
  const Result ba = promote(system, dtype_at(c, 1), dtype_at(c, 0));
  if (ab != ba) RC_FAIL("one order gives " + text_of(ab) + ", the other " + text_of(ba));
  // Two refusals agree too. From a rule book they say nothing, because it may just have no answer.
  return !ab && system.subject == nullptr ? Finding::kVacuous : Finding::kHolds;
}

Finding check_idempotent(const System& system, const Case& c) {
  const Result aa = promote(system, dtype_at(c, 0), dtype_at(c, 0));
  // A rule book may not know a dtype, and then has no answer. Every other system has an answer for
  // each dtype.
  if (!aa && system.subject == nullptr) return Finding::kVacuous;
  if (aa != dtype_at(c, 0)) RC_FAIL("with itself it gives " + text_of(aa));
  return Finding::kHolds;
}

Finding check_associates(const System& system, const Case& c) {
  const DType x = dtype_at(c, 0), y = dtype_at(c, 1), z = dtype_at(c, 2);
  const Result left = promote(system, promote(system, x, y), z);
  const Result right = promote(system, x, promote(system, y, z));
  if (!left || !right) return Finding::kVacuous;
  if (left != right) RC_FAIL("(a, b), c gives " + text_of(left) + "; a, (b, c) " + text_of(right));
  return Finding::kHolds;
}

bool mixes_barebones_unsigned(const Case& c) {
  return std::any_of(c.arguments.begin(), c.arguments.end(), [](const Operand& operand) {
    return group(operand.dtype) == Group::kBarebonesUnsigned;
  });
}

Finding check_groups_refuse_alike(const System& system, const Case& c) {
  const DType x = dtype_at(c, 0), y = dtype_at(c, 1), z = dtype_at(c, 2);
  const Result left = promote(system, promote(system, x, y), z);
  const Result right = promote(system, x, promote(system, y, z));
  if (left.has_value() != right.has_value())
    RC_FAIL("(a, b), c gives " + text_of(left) + "; a, (b, c) " + text_of(right));
  return !left && system.subject == nullptr ? Finding::kVacuous : Finding::kHolds;
}

Finding check_upper_bound(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result bound = promote(system, a, b);
  if (!bound) return Finding::kVacuous;
  for (DType dtype : {a, b})
    if (!is_below(system, dtype, *bound))
      RC_FAIL("the result is " + text_of(bound) + ", which is not above " + text_of(dtype));
  return Finding::kHolds;
}

Finding check_least(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result bound = promote(system, a, b);
  if (!bound) return Finding::kVacuous;
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType other = dtype_from_code(i);
    if (!is_below(system, a, other) || !is_below(system, b, other)) continue;
    if (!is_below(system, *bound, other))
      RC_FAIL(text_of(other) + " is above both, but not above the result " + text_of(bound));
  }
  return Finding::kHolds;
}

Finding check_monotone(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), z = dtype_at(c, 2);
  const Result above = promote(system, a, dtype_at(c, 1));
  const Result low = promote(system, a, z), high = promote(system, above, z);
  if (!above || !is_below(system, a, *above) || !low || !high) return Finding::kVacuous;
  if (!is_below(system, *low, *high))
    RC_FAIL(text_of(a) + " is below " + text_of(above) + ", but with " + text_of(z) +
            " they give " + text_of(low) + " and " + text_of(high));
  return Finding::kHolds;
}

Finding check_category(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result result = promote(system, a, b);
  if (!result) return Finding::kVacuous;
  if (category(*result) != highest(a, b))
    RC_FAIL(text_of(result) + " is " + std::string(name(category(*result))));
  return Finding::kHolds;
}

Finding check_precision(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result result = promote(system, a, b);
  if (!result || highest(a, b) < Category::kFloating) return Finding::kVacuous;
  for (DType dtype : {a, b})
    if (category(dtype) >= Category::kFloating &&
        itemsize(to_real(*result)) < itemsize(to_real(dtype)))
      RC_FAIL(text_of(result) + " is narrower than " + text_of(dtype));
  return Finding::kHolds;
}

Finding check_range_of_integers(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result result = promote(system, a, b);
  if (!result || !is_integral(a) || !is_integral(b)) return Finding::kVacuous;
  const auto is_signed = [](DType dtype) {
    return dtype != DType::kUInt8 && group(dtype) != Group::kBarebonesUnsigned;
  };
  for (DType dtype : {a, b}) {
    // A signed dtype needs one bit more to hold every value of an unsigned one.
    const int bits = 8 * itemsize(dtype) + (!is_signed(dtype) && is_signed(*result) ? 1 : 0);
    const bool has_its_sign = is_signed(*result) || !is_signed(dtype);
    if (!has_its_sign || 8 * itemsize(*result) < bits)
      RC_FAIL(text_of(result) + " does not hold every " + text_of(dtype));
  }
  return Finding::kHolds;
}

Finding check_bool_is_least(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0);
  const Result result = promote(system, DType::kBool, a);
  if (!result) return Finding::kVacuous;
  if (result != a) RC_FAIL("bool with it gives " + text_of(result));
  return Finding::kHolds;
}

Finding check_complex_counterpart(const System& system, const Case& c) {
  const DType real = to_real(dtype_at(c, 0)), complex = to_complex(real);
  if (complex == DType::kUndefined) return Finding::kVacuous;
  const Result result = promote(system, real, complex);
  if (!result && system.subject == nullptr) return Finding::kVacuous;
  if (result != complex) RC_FAIL(text_of(real) + " with it gives " + text_of(result));
  return Finding::kHolds;
}

Finding check_parts_promote_alike(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result complex = promote(system, a, b);
  if (!is_complex(a) || !is_complex(b)) return Finding::kVacuous;
  if (!complex && system.subject == nullptr) return Finding::kVacuous;
  const Result real = promote(system, to_real(a), to_real(b));
  if (!real || to_complex(*real) != complex.value_or(DType::kUndefined))
    RC_FAIL("it gives " + text_of(complex) + ", the dtypes of the parts " + text_of(real));
  return Finding::kHolds;
}

bool casts(const System& system, DType from, DType to) {
  return system.promotion->can_cast(from, to).value_or(false);
}

Finding check_cast_reflexive(const System& system, const Case& c) {
  RC_ASSERT(casts(system, dtype_at(c, 0), dtype_at(c, 0)));
  return Finding::kHolds;
}

Finding check_cast_transitive(const System& system, const Case& c) {
  const DType x = dtype_at(c, 0), y = dtype_at(c, 1), z = dtype_at(c, 2);
  if (!casts(system, x, y) || !casts(system, y, z)) return Finding::kVacuous;
  if (!casts(system, x, z)) RC_FAIL("by way of " + text_of(y) + " it casts, straight it does not");
  return Finding::kHolds;
}

Finding check_cast_to_promoted(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result result = promote(system, a, b);
  if (!result) return Finding::kVacuous;
  for (DType dtype : {a, b})
    if (!casts(system, dtype, *result))
      RC_FAIL(text_of(dtype) + " does not cast to " + text_of(result));
  return Finding::kHolds;
}

Finding check_cast_is_category(const System& system, const Case& c) {
  const DType from = dtype_at(c, 0), to = dtype_at(c, 1);
  if (category(from) == Category::kNone || category(to) == Category::kNone)
    return Finding::kVacuous;
  const bool expected = category(to) >= category(from);
  if (casts(system, from, to) != expected)
    RC_FAIL(expected ? "it does not cast" : "it casts to a lower category");
  return Finding::kHolds;
}

std::optional<bool> bool_casts_to_nothing(DType from, DType to) {
  return from != DType::kBool && can_cast(from, to);
}
std::optional<bool> int8_casts_to_uint8_only(DType from, DType to) {
  return from == DType::kInt8 && to != DType::kInt8 ? to == DType::kUInt8 : can_cast(from, to);
}

}  // namespace

std::span<const Property> promote_types_properties() {
  using enum DType;
  static const std::vector<Property> properties{
      law(Asks::kPromotion, "PromoteTypesIsCommutative",
          "promote_types(a, b) is promote_types(b, a), refusals included.", kDTypePairs,
          &check_commutes,
          {.what = "uint8 with int8 is uint8, int8 with uint8 int16",
           .rules = &with_cell<kUInt8, kInt8, kUInt8>}),
      law(Asks::kPromotion, "PromoteTypesIsIdempotent",
          "Every dtype promotes with itself, to itself; the quantized and bits ones too.",
          kDTypePairs, &check_idempotent,
          {.what = "int16 with int16 is int32", .rules = &with_cell<kInt16, kInt16, kInt32>}),
      law(Asks::kPromotion, "PromoteTypesIsAssociative",
          "Three dtypes promote to the same dtype from the left and from the right, if both "
          "answer.",
          kDTypeTriples, &check_associates,
          {.what = "float16 with bfloat16 is float64",
           .rules = &with_cells<kFloat16, kBFloat16, kFloat64>}),
      law(Asks::kPromotion, "GroupingDoesNotDecideWhatIsRefused",
          "For three dtypes promote_types refuses both groupings, or neither.", kDTypeTriples,
          &check_groups_refuse_alike,
          {.what = "float16 with bfloat16 is refused",
           .rules = &with_cells<kFloat16, kBFloat16, PromotionError::kNoTableEntry>},
          {{.system = kPyTorch,
            .reason = "uint16, uint32 and uint64 promote only with floating dtypes, and a float "
                      "that promotes with an integer hides the integer",
            .counterexample = "clamp.Tensor(uint16[1], int8[1], float16[1])",
            .matches = &mixes_barebones_unsigned,
            .grounds = "witness: c10::promoteTypes refuses these pairs by a message of its own"}}),
      law(Asks::kPromotion, "PromoteTypesIsAnUpperBound",
          "Both dtypes promote with the result to the result.", kDTypePairs, &check_upper_bound,
          {.what = "int32 with int64 is int16", .rules = &with_cells<kInt32, kInt64, kInt16>}),
      law(Asks::kPromotion, "NoCommonUpperBoundIsBelowTheResult",
          "A dtype that is above both operands is above the result of promote_types.", kDTypePairs,
          &check_least,
          {.what = "float16 with bfloat16 is float64",
           .rules = &with_cells<kFloat16, kBFloat16, kFloat64>}),
      law(Asks::kPromotion, "PromoteTypesIsMonotone",
          "If one dtype is above another, then with any third dtype it promotes to a dtype above "
          "the other's result.",
          kDTypeTriples, &check_monotone,
          {.what = "int8 with float16 is float64",
           .rules = &with_cells<kInt8, kFloat16, kFloat64>}),
      law(Asks::kPromotion, "PromoteTypesHasTheHigherCategory",
          "The result is of the higher category of the two, neither below nor above it.",
          kDTypePairs, &check_category,
          {.what = "int64 with float16 is int64", .rules = &with_cells<kInt64, kFloat16, kInt64>}),
      law(Asks::kPromotion, "PromoteTypesKeepsThePrecision",
          "No part of the result is narrower than a floating or complex dtype's part.", kDTypePairs,
          &check_precision,
          {.what = "float64 with complex64 is complex64",
           .rules = &with_cells<kFloat64, kComplex64, kComplex64>},
          {}, 30),
      law(Asks::kPromotion, "PromoteTypesOfIntegersHoldsBoth",
          "The result of two integral dtypes holds every number of both.", kIntegralPairs,
          &check_range_of_integers,
          {.what = "uint8 with int8 is uint8", .rules = &with_cell<kUInt8, kInt8, kUInt8>}),
      law(Asks::kPromotion, "BoolIsTheLeastDType", "bool promotes with a dtype to that dtype.",
          kDTypePairs, &check_bool_is_least,
          {.what = "bool with uint8 is int16", .rules = &with_cells<kBool, kUInt8, kInt16>}),
      law(Asks::kPromotion, "ADTypePromotesToItsComplexCounterpart",
          "A floating dtype promotes with the complex dtype of its precision to that.", kDTypePairs,
          &check_complex_counterpart,
          {.what = "float32 with complex64 is complex128",
           .rules = &with_cells<kFloat32, kComplex64, kComplex128>},
          {}, 30),
      law(Asks::kPromotion, "ComplexDTypesPromoteAsTheirPartsDo",
          "Two complex dtypes promote to the complex dtype whose part is the promotion of their "
          "parts' dtypes.",
          kComplexPairs, &check_parts_promote_alike,
          {.what = "complex32 with bcomplex32 is complex128",
           .rules = &with_cells<kComplex32, kBComplex32, kComplex128>}),
      law(Asks::kCasts, "CanCastIsReflexive", "Every dtype casts to itself.", kCasts,
          &check_cast_reflexive,
          {.what = "bool casts to no dtype", .promotion = {.can_cast = &bool_casts_to_nothing}}),
      law(Asks::kCasts, "CanCastIsTransitive",
          "If a cast is allowed by way of a third dtype, it is allowed directly.", kDTypeTriples,
          &check_cast_transitive,
          {.what = "int8 casts to uint8 only",
           .promotion = {.can_cast = &int8_casts_to_uint8_only}},
          {}, 20),
      law(Asks::kCasts, "ADTypeCastsToWhatItPromotesTo",
          "Both dtypes can be cast to the result of promote_types.", kDTypePairs,
          &check_cast_to_promoted,
          {.what = "float32 with float64 is int64",
           .rules = &with_cells<kFloat32, kFloat64, kInt64>}),
      law(Asks::kCasts, "CanCastFollowsTheCategory",
          "A dtype casts to those of its own and of higher categories, and to no other.", kCasts,
          &check_cast_is_category,
          {.what = "floating casts to integral",
           .rules = &without<Rule::kFloatingNeverCastsToIntegral>}),
  };
  return properties;
}

}  // namespace upcast::properties
