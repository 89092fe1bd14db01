// The rule book of PaddlePaddle 3.x in eager mode. It says what the library does, not what its
// document says (docs/rulebooks.md).
#pragma once

#include "impl/promotion/rulebooks/paddle_types.h"

namespace upcast::rulebooks {
namespace paddle {

/// Ops that refuse two different dtypes, but not if an operand is zero-dim (step 2 in
/// docs/rulebooks.md). This holds for the operators and for the functions.
inline constexpr std::string_view kLiftedOps =
    "add sub mul div floor_divide remainder pow eq ne lt le gt ge";
/// Losses that Paddle composes of the ops in kLiftedOps.
inline constexpr std::string_view kComposedOps = "l1_loss mse_loss";

/// The reply for an op whose operands have the common dtype `common`.
constexpr Reply finish(std::string_view op, DType common, std::string_view rule) {
  if (is_one_of(op, kComparisons) || is_one_of(op, kLogicalOps))
    return gives(DType::kBool, "comparisons and logical ops return bool");
  if (op == "div" && kIntegers.contains(common))
    return gives(DType::kFloat32, "Divide Rule: integers give float32");
  if (op == "l1_loss" && is_complex(common))
    return gives(to_real(common), "l1_loss of complex gives the real dtype");
  if (op == "logaddexp" && kIntegers.contains(common))
    return gives(DType::kFloat32, "logaddexp computes integers in float32");
  if (op == "atan2" && kIntegers.contains(common))
    return gives(DType::kFloat64, "atan2 computes integers in float64");
  return gives(common, rule);
}

constexpr Reply tensor_tensor(const Question& question) {
  const Operand& a = question.operands[0];
  const Operand& b = question.operands[1];
  const std::string_view op = question.op;
  if (is_one_of(op, kBitwiseOps))
    return a.dtype == b.dtype ? gives(a.dtype, "bitwise ops do not promote")
                              : refuses("bitwise ops do not promote: the kernel checks the dtype");
  if (a.dtype == b.dtype) return finish(op, a.dtype, "equal dtypes are kept");
  const bool zero_a = a.rank == Rank::kZeroDim;
  const bool zero_b = b.rank == Rank::kZeroDim;
  const bool lifted = is_one_of(op, kLiftedOps) || is_one_of(op, kComposedOps);
  if ((zero_a || zero_b) && lifted) {
    const bool same_class = class_of(a.dtype) == class_of(b.dtype);
    if ((zero_a && zero_b) || !same_class || op == "floor_divide")
      return finish(op, table(a.dtype, b.dtype), "a zero-dim operand: the promotion table");
    return finish(op, zero_a ? b.dtype : a.dtype, "a zero-dim operand of the class yields");
  }
  const Class class_a = class_of(a.dtype);
  const Class class_b = class_of(b.dtype);
  const bool floats = class_a == Class::kFloat && class_b == Class::kFloat;
  if (floats || class_a == Class::kComplex || class_b == Class::kComplex)
    return finish(op, table(a.dtype, b.dtype), "the promotion table");
  return no_promotion();
}

/// The reply for poisson_nll_loss. It is exp(input) - label * input, so the rules of exp, mul and
/// sub apply in turn.
constexpr Reply poisson_nll_loss(const Operand& input, const Operand& label) {
  const std::array<Operand, 2> factors{label, input};
  const Reply product = tensor_tensor({"mul", factors});
  if (!product.ok()) return product;
  const DType exponential = kIntegers.contains(input.dtype) ? DType::kFloat32 : input.dtype;
  const bool scalar = input.rank == Rank::kZeroDim;
  const bool both_scalar = scalar && label.rank == Rank::kZeroDim;
  const std::array<Operand, 2> terms{
      {{exponential, input.rank}, {product.dtype, both_scalar ? Rank::kZeroDim : Rank::kDim}}};
  Reply difference = tensor_tensor({"sub", terms});
  if (difference.ok()) difference.rule = "exp(input) - label * input, op by op";
  return difference;
}

/// The reply for an operator with a tensor and a number. A number of the tensor's class takes the
/// tensor's dtype; otherwise the table decides.
constexpr Reply tensor_number(std::string_view op, const Operand& tensor, DType number) {
  const DType dtype = tensor.dtype;
  if (is_bool(dtype) && is_bool(number)) return finish(op, dtype, "bool with bool stays");
  if (is_complex(number) && tensor.rank == Rank::kZeroDim &&
      (dtype == DType::kFloat64 || dtype == DType::kComplex128) &&
      is_one_of(op, "div pow remainder"))
    return gives(DType::kComplex64, "a zero-dim tensor with a complex number gives complex64");
  const Class of_tensor = class_of(dtype);
  const Class of_number = is_bool(number) ? Class::kNone : class_of(number_dtype(number));
  if (of_tensor >= of_number)
    return finish(op, dtype, "a number of no higher class takes the tensor's dtype");
  return finish(op, table(dtype, number_dtype(number)),
                "a number of a higher class joins the table");
}

/// The reply for functions with a tensor and a Python number. Their rules differ from the
/// operators' rules.
constexpr Reply function_number(const Question& question, const Operand& tensor, DType number,
                                bool number_first) {
  const std::string_view op = question.op;
  const DType dtype = tensor.dtype;
  if (op == "where") {
    const std::array<Operand, 2> both{
        {{dtype, tensor.rank}, {number_dtype(number), Rank::kZeroDim}}};
    return tensor_tensor({op, both});
  }
  if (number_first) return refuses("the function takes no Python number on the left");
  if (op == "floor_divide") {
    // floor_divide calls to_tensor(number). Then the rule for zero-dim operands applies, with the
    // full table.
    return finish(op,
                  is_bool(number) && is_bool(dtype) ? dtype : table(dtype, number_dtype(number)),
                  "floor_divide as a function takes the promotion table");
  }
  if (op == "pow" || op == "remainder") {
    if (is_complex(number)) return refuses("pow and remainder take no complex number");
    if (kIntegers.contains(dtype) && is_floating(number))
      return gives(dtype, "the number is truncated to the tensor's integer");
    return tensor_number(op, tensor, number);
  }
  if (op == "eq") return gives(DType::kBool, "the number is cast to the tensor's dtype");
  return refuses("the function takes no Python number");
}

constexpr Reply unary(std::string_view op, DType dtype) {
  if (is_one_of(op, "logical_not isfinite isinf isnan")) return gives(DType::kBool, "returns bool");
  if (is_complex(dtype) && is_one_of(op, "abs angle real imag"))
    return gives(to_real(dtype), "the real counterpart");
  const bool to_float =
      is_one_of(op,
                "acos acosh asin asinh atan atanh cos cosh digamma erf erfinv "
                "lgamma reciprocal rsqrt sigmoid sin sinh sqrt tan tanh exp expm1 "
                "log log2 log10 log1p");
  if (to_float && kIntegers.contains(dtype))
    return gives(DType::kFloat32, "integers are computed in float32 (support_autocast_ops)");
  if (to_float || is_one_of(op,
                            "ceil floor round trunc frac square abs neg sign angle conj real imag "
                            "bitwise_not"))
    return gives(dtype, "the dtype is kept");
  return outside("the rule book has no such op");
}

}  // namespace paddle

inline constexpr std::string_view kPaddleOps =
    "add sub mul div floor_divide pow remainder eq ne lt le gt ge logical_and logical_or "
    "logical_xor bitwise_and bitwise_or bitwise_xor where fmax fmin maximum minimum logaddexp "
    "huber_loss smooth_l1_loss nextafter atan2 poisson_nll_loss l1_loss mse_loss";

constexpr Reply answer_paddle(const Question& question) {
  using namespace paddle;
  if (question.operands.size() == 1) return unary(question.op, question.operands[0].dtype);
  if (question.operands.size() > 2) return outside("Paddle's APIs take two operands at most");
  if (question.op == "promote_types" || question.op == "result_type")
    return outside("Paddle has no such function");
  if (!is_one_of(question.op, kPaddleOps)) return outside("not one of Paddle's binary APIs");
  const Operand& a = question.operands[0];
  const Operand& b = question.operands[1];
  for (const Operand& operand : question.operands)
    if (!is_number(operand) && kCastOnly.contains(operand.dtype))
      return refuses("this dtype can be cast to, and does not promote");
  if (!is_number(a) && !is_number(b))
    return question.op == "poisson_nll_loss" ? poisson_nll_loss(a, b) : tensor_tensor(question);
  if (is_number(a) && is_number(b)) return outside("two Python numbers");
  const Operand& tensor = is_number(a) ? b : a;
  const DType number = is_number(a) ? a.dtype : b.dtype;
  if (question.form == Form::kFunction)
    return function_number(question, tensor, number, is_number(a));
  if (is_one_of(question.op, kBitwiseOps)) {
    if (!is_number(a)) return refuses("a tensor takes no Python number in a bitwise operator");
    const bool fits = is_bool(number) || (!is_floating(number) && !is_complex(number));
    return fits && class_of(tensor.dtype) <= Class::kInt
               ? gives(tensor.dtype, "the number is cast to the tensor's dtype")
               : refuses("bitwise ops take bool and integers");
  }
  return tensor_number(question.op, tensor, number);
}

inline constexpr RuleBook kPaddle{"paddle",
                                  "PaddlePaddle 3, eager mode",
                                  "3.3.1",
                                  "paddle 3.3.1, probed",
                                  paddle::kDTypes | paddle::kCastOnly,
                                  &answer_paddle};

}  // namespace upcast::rulebooks
