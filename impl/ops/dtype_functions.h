// The functions of dtypes result_type, promote_types and can_cast. They have no kernel. Their
// answer is a dtype, or for can_cast a bool.
#pragma once

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct ResultType {
  static constexpr OpSpec spec{
      .name = "result_type",
      .overloads =
          {{{"result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType", "", ""},
            {"result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType", "", ""},
            {"result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType", "", ""},
            {"result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType", "", ""}}},
      .promotion = PromotionKind::kOwn};

  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const auto found = to_outcome(result_type(query.inputs, query.defaults, query.rules));
    if (!found.ok()) return found.rejection();
    return Promoted{found.value(), found.value()};
  }
};

struct PromoteTypes {
  static constexpr OpSpec spec{
      .name = "promote_types",
      .overloads = {{{"promote_types(ScalarType type1, ScalarType type2) -> ScalarType", "", ""}}},
      .promotion = PromotionKind::kOwn};

  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    const DTypeResult found =
        promote_types(call.arguments[0].dtype, call.arguments[1].dtype, *query.rules.rules);
    if (found == DTypeResult(DType::kUndefined))
      return Rejection{RejectionCode::kPromotion, "Undefined does not promote"};
    const auto outcome = to_outcome(found);
    if (!outcome.ok()) return outcome.rejection();
    return Promoted{outcome.value(), outcome.value()};
  }
};

/// The op can_cast. Its answer is a bool, held as a dtype: `result` is kBool for true and
/// kUndefined for false.
struct CanCast {
  static constexpr OpSpec spec{
      .name = "can_cast",
      .overloads = {{{"can_cast(ScalarType from_, ScalarType to) -> bool", "", ""}}},
      .promotion = PromotionKind::kOwn};

  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    const bool castable = can_cast(call.arguments[0].dtype, call.arguments[1].dtype, query.rules);
    return Promoted{DType::kBool, castable ? DType::kBool : DType::kUndefined};
  }
};

using DTypeFunctions = OpFamily<ResultType, PromoteTypes, CanCast>;

}  // namespace upcast
