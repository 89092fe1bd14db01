// The rule book of PaddlePaddle 2.6 in eager mode. An operator takes its left operand's dtype, and
// a function refuses two dtypes. Floats promote only in a few ops. Paddle's document says otherwise
// about this version (docs/rulebooks.md, P22).
#pragma once

#include "impl/promotion/rulebooks/paddle.h"

namespace upcast::rulebooks {
namespace paddle_2_6 {

using paddle::Class;
using paddle::class_of;

/// Whether an operator promotes this dtype with a complex one. It does for float32, float64 and the
/// complex dtypes.
constexpr bool promotes_with_complex(DType dtype) {
  return kFullFloats.contains(dtype) || kFullComplex.contains(dtype);
}

constexpr bool is_int_or_bool(DType dtype) { return class_of(dtype) <= Class::kInt; }

constexpr Reply operator_tensors(std::string_view op, DType left, DType right) {
  if (is_one_of(op, kComparisons)) return gives(DType::kBool, "comparisons return bool");
  if (is_one_of(op, kBitwiseOps))
    return left == right ? gives(left, "equal dtypes") : refuses("bitwise ops do not promote");
  if (is_one_of(op, "floor_divide remainder pow"))
    return gives(left, "the right operand is cast to the left one's dtype");
  if (is_complex(left) || is_complex(right)) {
    return promotes_with_complex(left) && promotes_with_complex(right)
               ? gives(paddle::table(left, right), "the promotion table")
               : refuses("complex promotes with float32 and float64 only");
  }
  if (op == "div") {
    return is_int_or_bool(left) ? gives(DType::kFloat32, "divide casts integers to float32")
                                : gives(left, "the right operand is cast to the left one's dtype");
  }
  const bool floats = class_of(left) == Class::kFloat && class_of(right) == Class::kFloat;
  return floats ? gives(paddle::table(left, right), "floats promote by the table")
                : gives(left, "the right operand is cast to the left one's dtype");
}

constexpr Reply function_tensors(std::string_view op, DType left, DType right) {
  if (op == "poisson_nll_loss")
    return gives(is_int_or_bool(left) ? DType::kFloat32 : left, "the label is cast to the input");
  const bool joins_complex = is_one_of(op, "add sub mul div l1_loss");
  const auto result = [op](DType dtype, std::string_view rule) {
    if (is_one_of(op, kComparisons) || is_one_of(op, kLogicalOps))
      return gives(DType::kBool, "returns bool");
    if (op == "l1_loss" && is_complex(dtype))
      return gives(to_real(dtype), "l1_loss of complex gives the real dtype");
    if (op == "logaddexp" && kIntegers.contains(dtype))
      return gives(DType::kFloat32, "logaddexp computes integers in float32");
    if (op == "atan2" && kIntegers.contains(dtype))
      return gives(DType::kFloat64, "atan2 computes integers in float64");
    return gives(dtype, rule);
  };
  if (left == right) return result(left, "equal dtypes are kept");
  if (is_complex(left) && !is_complex(right) && is_one_of(op, kLogicalOps) && !is_bool(right) &&
      right != DType::kInt32 && right != DType::kInt64)
    return gives(DType::kBool, "the right operand is cast to a complex left one");
  if (is_complex(left) != is_complex(right) && joins_complex) {
    const DType complex = is_complex(left) ? left : right;
    const DType real = is_complex(left) ? right : left;
    if (is_bool(real) || real == DType::kInt32 || real == DType::kInt64)
      return refuses("the kernel checks the dtype of both operands");
    return result(complex, "a real operand is cast to the complex one's dtype");
  }
  const bool floats = class_of(left) == Class::kFloat && class_of(right) == Class::kFloat;
  if (floats && is_one_of(op, "add sub mul where l1_loss mse_loss"))
    return result(paddle::table(left, right), "floats promote by the table");
  return refuses("the kernel checks that both operands have one dtype");
}

constexpr Reply operator_number(std::string_view op, DType tensor, DType number,
                                bool number_first) {
  if (is_one_of(op, kBitwiseOps)) return refuses("a bitwise operator takes no Python number");
  if (number_first && is_one_of(op, "floor_divide remainder"))
    return refuses("the operator takes no Python number on the left");
  if (is_one_of(op, kComparisons)) return gives(DType::kBool, "comparisons return bool");
  if (is_complex(number) && is_one_of(op, "mul div")) {
    return promotes_with_complex(tensor)
               ? gives(paddle::table(tensor, DType::kComplex64), "the promotion table")
               : refuses("complex promotes with float32 and float64 only");
  }
  if (is_int_or_bool(tensor) && (op == "div" || is_floating(number)))
    return gives(DType::kFloat32, "an integer tensor with a float number is float32");
  return gives(tensor, "the number is cast to the tensor's dtype");
}

constexpr Reply function_number(std::string_view op, DType tensor, DType number,
                                bool number_first) {
  if (op == "where") {
    if (is_complex(number)) return refuses("where takes no complex number");
    // The op where calls to_tensor(number), whose dtype is bool, int64 or float64.
    return number_first ? function_tensors(op, number, tensor)
                        : function_tensors(op, tensor, number);
  }
  if (op == "pow" && !number_first && !is_complex(number))
    return gives(tensor, "the number is cast to the tensor's dtype");
  if (op == "eq" && !number_first && !is_complex(number))
    return gives(DType::kBool, "the number is cast to the tensor's dtype");
  return refuses("the function takes no Python number");
}

constexpr Reply in_place(DType left, DType right) {
  if (!is_complex(left)) return gives(right, "x is rebound to the right operand's dtype");
  if (is_bool(right) || right == DType::kInt32 || right == DType::kInt64)
    return refuses("the kernel checks the dtype of both operands");
  return gives(left, "a complex x keeps its dtype");
}

}  // namespace paddle_2_6

constexpr Reply answer_paddle_2_6(const Question& question) {
  using namespace paddle_2_6;
  const std::string_view op = question.op;
  if (question.operands.size() == 1) {
    const DType dtype = question.operands[0].dtype;
    if (kIntegers.contains(dtype) && is_one_of(op, "exp expm1 log log2 log10 log1p"))
      return gives(DType::kFloat32, "integers are computed in float32");
    if (is_one_of(op, "logical_not isfinite isinf isnan"))
      return gives(DType::kBool, "returns bool");
    if (is_complex(dtype) && is_one_of(op, "abs angle real imag"))
      return gives(to_real(dtype), "the real counterpart");
    if (paddle::unary(op, DType::kInt32) == gives(DType::kFloat32, "") &&
        class_of(dtype) <= Class::kInt)
      return outside("2.6 has no kernel for integers here, so its rule cannot be seen");
    return paddle::unary(op, DType::kFloat32).ok() ? gives(dtype, "the dtype is kept")
                                                   : outside("the rule book has no such op");
  }
  if (question.operands.size() > 2) return outside("Paddle's APIs take two operands at most");
  if (!is_one_of(op, kPaddleOps)) return outside("not one of Paddle's binary APIs");
  const Operand& a = question.operands[0];
  const Operand& b = question.operands[1];
  if (is_number(a) && is_number(b)) return outside("two Python numbers");
  const bool is_operator = question.form == Form::kOperator;
  if (!is_number(a) && !is_number(b)) {
    if (question.form == Form::kInPlace) return in_place(a.dtype, b.dtype);
    return is_operator ? operator_tensors(op, a.dtype, b.dtype)
                       : function_tensors(op, a.dtype, b.dtype);
  }
  const DType tensor = is_number(a) ? b.dtype : a.dtype;
  const DType number = is_number(a) ? a.dtype : b.dtype;
  return is_operator ? operator_number(op, tensor, number, is_number(a))
                     : function_number(op, tensor, number, is_number(a));
}

inline constexpr RuleBook kPaddle26{"paddle-2.6",    "PaddlePaddle 2.6, eager mode",
                                    "2.6.2",         "paddle 2.6.2, probed",
                                    paddle::kDTypes, &answer_paddle_2_6};

}  // namespace upcast::rulebooks
