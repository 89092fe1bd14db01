// The rule book of PyTorch 2.15, which asks our own promotion. It answers about promotion only, so
// it never refuses because a kernel is missing.
#pragma once

#include "impl/promotion/promotion.h"
#include "impl/promotion/rulebooks/op_names.h"
#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast::rulebooks {
namespace pytorch {

struct KindOfOps {
  std::string_view names;
  PromotionKind kind;
};

/// The promotion kind of each op, as in our catalogue; a test compares the two.
inline constexpr std::array<KindOfOps, 8> kKindsOfOps{{
    {"add sub mul where maximum minimum fmax fmin remainder fmod pow bitwise_and bitwise_or "
     "bitwise_xor bitwise_left_shift bitwise_right_shift hypot nextafter mse_loss smooth_l1_loss "
     "logaddexp logaddexp2 heaviside gcd lcm igamma igammac clamp div_floor div_trunc floor_divide",
     PromotionKind::kDefault},
    {"div atan2 copysign xlogy", PromotionKind::kIntToFloat},
    {"eq ne lt le gt ge logical_and logical_or logical_xor", PromotionKind::kAlwaysBool},
    {"float_power", PromotionKind::kAlwaysDouble},
    {"acos asin atan acosh asinh atanh cos cosh digamma erf erfc erfinv exp exp2 expm1 lgamma log "
     "log10 log1p log2 rsqrt sigmoid sin sinh sqrt tan tanh reciprocal sinc logit deg2rad rad2deg "
     "i0 special.i0e special.i1 special.ndtri special.entr special.log_ndtr polygamma mvlgamma",
     PromotionKind::kIntToFloat},
    {"logical_not isfinite isinf isnan signbit", PromotionKind::kUnaryBool},
    {"abs real imag", PromotionKind::kComplexToReal},
    {"square", PromotionKind::kBoolToLong},
}};

/// Unary ops whose result keeps the operand's dtype, bool included.
inline constexpr std::string_view kKeeping =
    "ceil floor trunc round frac conj conj_physical sign sgn nan_to_num neg positive relu hardtanh "
    "bitwise_not gelu silu softplus elu";

/// Functions that take two tensors, and no number in place of the second one.
inline constexpr std::string_view kTensorsOnly =
    "logical_and logical_or logical_xor maximum minimum fmax fmin hypot nextafter heaviside gcd "
    "logaddexp logaddexp2 atan2 igamma";

constexpr const KindOfOps* find_kind(std::string_view op) {
  for (const KindOfOps& each : kKindsOfOps)
    if (is_one_of(op, each.names)) return &each;
  return nullptr;
}

constexpr TypedOperand typed(const Operand& operand) {
  const Kind kind = is_number(operand)               ? Kind::kWrapped
                    : operand.rank == Rank::kZeroDim ? Kind::kZeroDim
                                                     : Kind::kDim;
  return {operand.dtype, kind};
}

/// Turns an answer of our promotion into a reply of a rule book.
constexpr Reply reply_of(const Outcome<Promoted>& outcome, std::string_view rule) {
  return outcome.ok() ? gives(outcome.value().result, rule) : refuses(outcome.rejection().detail);
}
constexpr Reply reply_of(DTypeResult result, std::string_view rule) {
  return result.ok() ? gives(result.dtype(), rule) : refuses(describe(result.error()));
}

/// The rule, as a sentence, by which the operands combine if they have different priorities.
constexpr std::string_view rule_of(std::span<const TypedOperand> operands, Defaults defaults) {
  if (operands.size() > 2) return "operands fill the slots of their priority, and these combine";
  if (operands.size() != 2 || operands[0].kind == operands[1].kind)
    return describe(Rule::kOperandsOfASlotPromote);
  const bool first = operands[0].kind < operands[1].kind;
  return describe(combining_rule(entering_dtype(operands[first ? 0 : 1], defaults),
                                 entering_dtype(operands[first ? 1 : 0], defaults)));
}

/// The reply for polar and complex. Two real floats of one dtype give the complex dtype with parts
/// of that dtype.
constexpr Reply complex_of(std::span<const TypedOperand> operands) {
  const DType dtype = operands[0].dtype;
  if (operands[1].dtype != dtype || !is_floating(dtype) || to_complex(dtype) == DType::kUndefined ||
      dtype == DType::kBFloat16)
    return refuses("both parts must be of one dtype of float16, float32, float64");
  return gives(to_complex(dtype), "the complex counterpart of both parts");
}

constexpr TypedOperand dim(DType dtype) { return {dtype, Kind::kDim}; }

/// The reply for result_type of two operands.
constexpr DTypeResult promoted(TypedOperand a, TypedOperand b, Defaults defaults) {
  const std::array<TypedOperand, 2> both{a, b};
  return result_type(both, defaults);
}

/// The reply for ops that PyTorch composes of other ops, if the operands are tensors.
constexpr Reply composed(std::string_view op, std::span<const TypedOperand> operands,
                         Defaults defaults) {
  const TypedOperand a = operands[0];
  const TypedOperand b = operands[1];
  if (op == "ldexp") {
    if ((is_floating(a.dtype) || is_complex(a.dtype)) && (is_bool(b.dtype) || is_integral(b.dtype)))
      return gives(a.dtype, "an integral exponent leaves the dtype");
    const DTypeResult power = promoted({DType::kFloat64, Kind::kWrapped}, b, defaults);
    return reply_of(power.ok() ? promoted(a, dim(power.dtype()), defaults) : power,
                    "self * pow(2.0, other)");
  }
  const DTypeResult common = promoted(a, b, defaults);
  if (!common.ok()) return reply_of(common, "");
  if (op == "l1_loss") {
    if (is_bool(a.dtype) || is_bool(b.dtype)) return refuses("sub refuses bool");
    return gives(to_real(common.dtype()), "the real counterpart of the common dtype");
  }
  if (op == "huber_loss") {
    return can_cast(common.dtype(), a.dtype)
               ? gives(a.dtype, "the result is allocated with the input's dtype")
               : refuses("the common dtype cannot be cast to the input's");
  }
  if (op == "lerp")
    return a.dtype == b.dtype ? gives(a.dtype, "both ends have one dtype")
                              : refuses("both ends must have one dtype");
  // poisson_nll_loss is composed as exp(input) - target * input.
  const DTypeResult difference =
      promoted(dim(int_to_float(a.dtype, defaults)), dim(common.dtype()), defaults);
  return reply_of(difference, "exp(input) - target * input");
}

}  // namespace pytorch

constexpr Reply answer_pytorch(const Question& question) {
  using namespace pytorch;
  std::array<TypedOperand, 4> operands{};
  const std::size_t count = question.operands.size();
  if (count > operands.size()) return outside("more operands than the rule book is asked about");
  for (std::size_t i = 0; i < count; ++i) operands[i] = typed(question.operands[i]);
  const std::span<const TypedOperand> all(operands.data(), count);
  const Defaults defaults{question.default_dtype};
  const std::string_view op = question.op;
  if (op == "promote_types") {
    const DTypeResult found = promote_types(operands[0].dtype, operands[1].dtype);
    if (found == DTypeResult(DType::kUndefined))
      return refuses("c10::promoteTypes gives undefined, which promote_types refuses");
    return reply_of(found, "the table of promote_types");
  }
  if (op == "can_cast")
    return can_cast(operands[0].dtype, operands[1].dtype)
               ? gives(operands[1].dtype, "no category is lowered")
               : refuses("the category would be lowered");
  if (op == "result_type") return reply_of(result_type(all, defaults), rule_of(all, defaults));
  if (op == "torch.tensor") {
    if (is_complex(operands[0].dtype) && question.default_dtype == DType::kBFloat16)
      return refuses("no default complex dtype of bfloat16 in torch.tensor");
    return gives(entering_dtype(operands[0], defaults), "a number alone takes the default dtype");
  }
  if (count == 2 && is_one_of(op, "polar complex")) return complex_of(all);
  if (count == 2 && is_one_of(op, "l1_loss huber_loss lerp ldexp poisson_nll_loss"))
    return composed(op, all, defaults);
  for (const Operand& operand : question.operands)
    if (is_number(operand) && question.form == Form::kFunction && is_one_of(op, kTensorsOnly))
      return refuses("the function takes no Python number");
  if (count == 1 && op == "clamp")  // clamp has integer bounds in the tables
    return reply_of(promoted(operands[0], {DType::kInt64, Kind::kWrapped}, defaults),
                    "promotes with its integer bounds");
  if (is_bool(operands[0].dtype) && is_one_of(op, "positive neg")) return refuses("refuses bool");
  if (count == 1 && is_one_of(op, kKeeping)) return gives(operands[0].dtype, "the dtype is kept");
  if (count == 1 && op == "angle") {
    const DType dtype = operands[0].dtype;
    return is_complex(dtype)
               ? gives(to_real(dtype), "the real counterpart")
               : gives(int_to_float(dtype, defaults), "integral and bool become the default dtype");
  }
  const bool boolean = is_bool(operands[0].dtype) || is_bool(operands[1].dtype);
  if (op == "sub" && boolean) return refuses("sub refuses bool: use bitwise_xor or logical_not");
  const KindOfOps* kind = find_kind(op);
  if (kind == nullptr) return outside("the rule book has no such op");
  DType out = question.out;
  if (question.form == Form::kInPlace) out = operands[0].dtype;
  const auto promoted = compute_types(kind->kind, {all, out, defaults});
  const std::string_view rule = kind->kind == PromotionKind::kDefault && count == 2
                                    ? rule_of(all, defaults)
                                    : info(kind->kind).sentence;
  return reply_of(promoted, rule);
}

namespace pytorch {
/// All dtypes. Undefined is included, because promote_types answers for it.
constexpr DTypeSet all_dtypes() {
  return dtypes_where([](const DTypeInfo&) { return true; });
}
}  // namespace pytorch

inline constexpr RuleBook kPyTorch{"pytorch",
                                   "PyTorch",
                                   "2.15.0",
                                   "this project's promotion engine; LibTorch 2.15.0, probed",
                                   pytorch::all_dtypes(),
                                   &answer_pytorch};

}  // namespace upcast::rulebooks
