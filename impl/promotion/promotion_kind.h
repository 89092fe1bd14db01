// Promotion kinds, and compute_types, which derives a call's common and result dtype from its
// operands' dtypes.
#pragma once

#include <span>

#include "impl/core/rejection.h"
#include "impl/promotion/can_cast.h"
#include "impl/promotion/result_type.h"

namespace upcast {

/// How an op derives its dtypes. After each kind, parentheses name an op, or TensorIterator's
/// builder, of that kind. The kinds have the names of torch._prims_common, if it has one.
enum class PromotionKind : std::uint8_t {
  kDefault,        // inputs promote; the result has the common dtype (binary_op)
  kIntToFloat,     // as kDefault, but the default dtype replaces an integral or bool common dtype
  kAlwaysBool,     // inputs promote; the result is bool, out may have any dtype (comparison_op)
  kSame,           // inputs do not promote: all must have one dtype (unary_op)
  kUnaryBool,      // no promotion, no check; bool result (unary_force_boolean_op, logical_not)
  kComplexToReal,  // as kSame, but a complex input gives a result of its parts' dtype (abs)
  kBoolToLong,     // as kDefault with the wrapped number 2 as a further input (square)
  kAlwaysDouble,   // float64, or complex128 if an operand is complex (float_power)
  kOwn             // the function `types` of the op's struct decides
};

/// The dtype flags of TensorIteratorConfig that a kind sets. `strategy_2020` is the
/// CommonDTypeStrategy that PyTorch of 2020 had in place of these flags (docs/sources.md, thesis,
/// figure 2.5).
struct KindInfo {
  std::string_view name;
  std::string_view sentence;
  std::string_view strategy_2020;
  bool check_all_same_dtype;
  bool promote_inputs_to_common_dtype;
  bool promote_integer_inputs_to_float;
  bool cast_common_dtype_to_outputs;
  bool enforce_safe_casting_to_output;
  DType static_dtype;
};

namespace internal {
inline constexpr DType kNone = DType::kUndefined;
// clang-format off
inline constexpr std::array<KindInfo, 9> kKinds{{
      // Headings of the columns from `strategy_2020` on:
      //                                                                    strategy           same   promote int>fl cast   safe   static
      {"default", "inputs promote, the result has the common dtype", "PROMOTE", false, true, false, true, true, kNone},
      {"int_to_float", "inputs promote, integral and bool become the default dtype", "PROMOTE", false, true, true, true, true, kNone},
      {"always_bool", "inputs promote, the result is bool", "PROMOTE_INPUTS", false, true, false, false, false, DType::kBool},
      {"same", "all operands must have one dtype, nothing promotes", "CHECK", true, false, false, false, false, kNone},
      {"unary_bool", "the input keeps its dtype, the result is bool", "NONE", false, false, false, false, false, DType::kBool},
      {"complex_to_real", "all operands must have one dtype, a complex input gives a real result", "CHECK", true, false, false, false, false, kNone},
      {"bool_to_long", "promotes with the number 2, so bool becomes int64", "PROMOTE", false, true, false, true, true, kNone},
      {"always_double", "computed and returned in float64 or complex128", "NONE", false, false, false, false, false, kNone},
      {"own", "the op has a rule of its own", "NONE", false, false, false, false, false, kNone},
}};
// clang-format on
}  // namespace internal

constexpr const KindInfo& info(PromotionKind kind) {
  return internal::kKinds[static_cast<int>(kind)];
}

/// The dtypes that compute_types decides. The compute dtype follows from them:
/// compute_dtype(common).
struct Promoted {
  DType common = DType::kUndefined;  // the dtype that inputs are converted to
  DType result = DType::kUndefined;  // the dtype of the output that the call returns

  constexpr bool operator==(const Promoted&) const = default;
};

/// Turns the answer of result_type into an Outcome: the dtype, or a Rejection with the code
/// kPromotion.
constexpr Outcome<DType> to_outcome(DTypeResult found) {
  if (found.ok()) return found.dtype();
  return Rejection{RejectionCode::kPromotion, describe(found.error())};
}

/// The common dtype, as in TensorIterator. If all inputs have one dtype, and one of them has
/// dimensions, they keep that dtype. Otherwise result_type decides, and may refuse.
constexpr Outcome<DType> common_dtype(std::span<const TypedOperand> inputs, Defaults defaults,
                                      TracedRules rules = kPyTorchRules) {
  bool all_equal = true;
  bool all_zero_dim = true;
  for (const TypedOperand& input : inputs) {
    if (input.dtype == DType::kUndefined) continue;
    all_equal = all_equal && input.dtype == inputs[0].dtype;
    all_zero_dim = all_zero_dim && input.kind != Kind::kDim;
  }
  if (all_equal && !(all_zero_dim && rules.holds(Rule::kAllZeroDimComputesResultType))) {
    if (rules.trace != nullptr) rules.trace->keeps_one_dtype = true;
    return inputs[0].dtype;
  }
  return to_outcome(result_type(inputs, defaults, rules));
}

/// The default dtype if `common` is integral or bool; otherwise `common` itself.
constexpr DType int_to_float(DType common, Defaults defaults, TracedRules rules = kPyTorchRules) {
  const Rule rule = is_bool(common) ? Rule::kBoolBecomesDefault
                    : group(common) == Group::kBarebonesUnsigned
                        ? Rule::kBarebonesUnsignedBecomesDefault
                        : Rule::kIntegralBecomesDefault;
  const bool integral = is_bool(common) || is_integral(common);
  return integral && rules.holds(rule) ? defaults.floating : common;
}

/// The dtypes of a call with the common dtype `common`. Refuses the call if `common` cannot be cast
/// to `out`. kUndefined for `out` means that the result is allocated.
constexpr Outcome<Promoted> cast_to_output(DType common, DType out,
                                           TracedRules rules = kPyTorchRules) {
  if (out == DType::kUndefined) return Promoted{common, common};
  if (rules.trace != nullptr) {
    rules.trace->cast_from = common;
    rules.trace->cast_to = out;
  }
  if (rules.holds(Rule::kOutputMustBeCastable) && !can_cast(common, out, rules))
    return Rejection{RejectionCode::kResultCast, "the result cannot be cast to the out dtype"};
  return Promoted{common, out};
}

/// The dtypes of a call whose `out` must have exactly the result dtype; refuses other dtypes.
/// kUndefined for `out` means that the result is allocated.
constexpr Outcome<Promoted> exact_output(DType common, DType result, DType out) {
  if (out == DType::kUndefined || out == result) return Promoted{common, result};
  return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
}

/// The facts about a call that decide its dtypes.
struct TypesQuery {
  std::span<const TypedOperand> inputs{};
  DType out = DType::kUndefined;  // in place: the dtype of self; kUndefined: allocated
  Defaults defaults{};
  TracedRules rules = kPyTorchRules;
};

/// The dtypes of a call, as TensorIterator's compute_types decides them. `inputs` must not be
/// empty. Refuses the kind kOwn. result_type skips undefined inputs. Kinds that do not promote take
/// the first input's dtype.
constexpr Outcome<Promoted> compute_types(PromotionKind kind, const TypesQuery& query) {
  const auto& [inputs, out, defaults, rules] = query;
  const DType first = inputs[0].dtype;
  if (rules.trace != nullptr) rules.trace->kind = kind;
  switch (kind) {
    case PromotionKind::kDefault:
    case PromotionKind::kIntToFloat: {
      const auto common = common_dtype(inputs, defaults, rules);
      if (!common.ok()) return common.rejection();
      const DType dtype = kind == PromotionKind::kDefault
                              ? common.value()
                              : int_to_float(common.value(), defaults, rules);
      return cast_to_output(dtype, out, rules);
    }
    case PromotionKind::kAlwaysBool: {
      const auto common = common_dtype(inputs, defaults, rules);
      if (!common.ok()) return common.rejection();
      if (out == DType::kUndefined)
        return Promoted{common.value(), rules.decide(Rule::kComparisonAllocatesBool, DType::kBool)};
      // The cast of the bool result to `out` cannot be refused, because bool casts to any dtype.
      const DType written = rules.decide(Rule::kComparisonOutputKeepsItsDType, DType::kBool);
      const auto cast = cast_to_output(written, out, *rules.rules);
      if (!cast.ok()) return cast;
      return Promoted{common.value(), out};
    }
    case PromotionKind::kSame: {
      for (const TypedOperand& input : inputs)
        if (input.dtype != first && rules.holds(Rule::kSameKindChecksInputs))
          return Rejection{RejectionCode::kDTypeMismatch, "inputs must have one dtype"};
      if (out == DType::kUndefined) return Promoted{first, first};
      return exact_output(first, rules.decide(Rule::kSameKindChecksOutput, first), out);
    }
    case PromotionKind::kUnaryBool:
      return Promoted{first, out == DType::kUndefined ? DType::kBool : out};
    case PromotionKind::kComplexToReal: {
      if (!is_complex(first) || is_complex(out)) return exact_output(first, first, out);
      const DType real = rules.decide(Rule::kComplexToRealTakesRealCounterpart, to_real(first));
      const auto cast = cast_to_output(real, out, rules);
      if (!cast.ok()) return cast;
      return Promoted{first, cast.value().result};
    }
    case PromotionKind::kBoolToLong: {
      const std::array<TypedOperand, 2> with_two{inputs[0],
                                                 TypedOperand{DType::kInt64, Kind::kWrapped}};
      const auto common = common_dtype(with_two, defaults, rules);
      if (!common.ok()) return common.rejection();
      const DType dtype =
          is_bool(first) ? rules.decide(Rule::kBoolToLong, common.value()) : common.value();
      return cast_to_output(dtype, out, rules);
    }
    case PromotionKind::kAlwaysDouble: {
      DType common = DType::kFloat64;
      for (const TypedOperand& input : inputs)
        if (is_complex(input.dtype)) common = DType::kComplex128;
      common = rules.decide(Rule::kFloatPowerIsDouble, common);
      return exact_output(common, common, out);
    }
    case PromotionKind::kOwn:
      break;
  }
  return Rejection{RejectionCode::kOther, "this promotion kind has no builder"};
}

}  // namespace upcast
