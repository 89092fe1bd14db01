// promote_types: the lattice of dtypes, as far as it is one.
#include "properties/generators.h"
#include "properties/promotion_properties.h"

namespace upcast::properties {
namespace {

using Result = std::optional<DType>;

/// What a failure says of one side.
std::string text_of(Result result) { return result ? std::string(name(*result)) : "a refusal"; }

DType dtype_at(const Case& c, std::size_t i) { return c.arguments[i].dtype; }

Finding check_commutes(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1);
  const Result ab = system.promotion->promote_types(a, b);
  const Result ba = system.promotion->promote_types(b, a);
  if (ab != ba) RC_FAIL("one order gives " + text_of(ab) + ", the other " + text_of(ba));
  return Finding::kHolds;  // two refusals agree too
}

Finding check_associates(const System& system, const Case& c) {
  const DType a = dtype_at(c, 0), b = dtype_at(c, 1), d = dtype_at(c, 2);
  const auto promote = [&system](Result x, Result y) {
    return x && y ? system.promotion->promote_types(*x, *y) : Result();
  };
  const Result left = promote(promote(a, b), d);
  const Result right = promote(a, promote(b, d));
  if (!left || !right) return Finding::kVacuous;
  if (left != right) RC_FAIL("(a, b), c gives " + text_of(left) + "; a, (b, c) " + text_of(right));
  return Finding::kHolds;
}

Rules one_order_only() {
  return kPyTorchRules.with_cell(DType::kUInt8, DType::kInt8, DTypeResult(DType::kUInt8));
}

Rules wide_sum_of_halves() {
  return kPyTorchRules.with_cell(DType::kFloat16, DType::kBFloat16, DTypeResult(DType::kFloat64))
      .with_cell(DType::kBFloat16, DType::kFloat16, DTypeResult(DType::kFloat64));
}

}  // namespace

std::span<const Property> promotion_properties() {
  static const std::vector<Property> properties{
      {.name = "PromoteTypesIsCommutative",
       .claim = "promote_types(a, b) is promote_types(b, a).",
       .asks = Asks::kPromotion,
       .generator = &kDTypePairs,
       .check = &check_commutes,
       .control = {.what = "uint8 with int8 is uint8, int8 with uint8 is int16",
                   .rules = &one_order_only}},
      {.name = "PromoteTypesIsAssociative",
       .claim = "Three dtypes promote to the same dtype from the left and from the right, where "
                "both ways answer.",
       .asks = Asks::kPromotion,
       .generator = &kDTypeTriples,
       .check = &check_associates,
       .control = {.what = "float16 with bfloat16 is float64", .rules = &wide_sum_of_halves},
       .meaningful_percent = 20},
  };
  return properties;
}

}  // namespace upcast::properties
