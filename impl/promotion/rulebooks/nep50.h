// The rule book of NumPy 2, which is NEP 50. Neither the rank nor the value of an operand matters;
// Python numbers are weak.
#pragma once

#include "impl/promotion/rulebooks/numpy_types.h"

namespace upcast::rulebooks {
namespace numpy {

/// The dtype of arrays with a Python number: the arrays' own dtype, unless the number's category is
/// higher.
constexpr DType with_weak_number(DType arrays, DType number) {
  if (is_bool(number)) return promote(arrays, DType::kBool);
  if (is_integral(number)) return is_bool(arrays) ? DType::kInt64 : arrays;
  if (is_floating(number)) return is_bool(arrays) || is_integral(arrays) ? DType::kFloat64 : arrays;
  if (is_complex(arrays)) return arrays;
  if (!is_floating(arrays)) return DType::kComplex128;
  return arrays == DType::kFloat64 ? DType::kComplex128 : DType::kComplex64;
}

/// Whether a Python int is within the range of an integral dtype. For bool, the range of int64
/// counts.
constexpr bool fits(long double value, DType dtype) {
  const int bits = is_bool(dtype) ? 64 : 8 * itemsize(dtype);
  long double half = 1;
  for (int i = 1; i < bits; ++i) half *= 2;
  if (!is_bool(dtype) && is_unsigned(dtype)) return value >= 0 && value < 2 * half;
  return value >= -half && value < half;
}

}  // namespace numpy

constexpr Reply answer_nep50(const Question& question) {
  using namespace numpy;
  if (question.op == "can_cast.safe" || question.op == "can_cast.same_kind")
    return answer_can_cast(question);
  const DType arrays =
      promote_all(question.operands, [](const Operand& operand) { return !is_number(operand); });
  DType promoted = arrays;
  std::string_view rule = "promote_types of the dtypes, whatever rank and value";
  for (const Operand& operand : question.operands) {
    if (!is_number(operand)) continue;
    if (arrays == DType::kUndefined) {
      promoted = promoted == DType::kUndefined ? operand.dtype : promote(promoted, operand.dtype);
      rule = "numbers alone are bool, int64, float64 or complex128";
      continue;
    }
    promoted = with_weak_number(promoted, operand.dtype);
    rule = promoted == arrays ? "a Python number is weak: the array's dtype stays"
                              : "a Python number of a higher kind raises the array's";
  }
  if (question.op == "angle") {
    const DType dtype = is_complex(promoted) ? to_real(promoted)
                        : is_bool(promoted)  ? DType::kFloat64
                                             : float_holding(promoted);
    return gives(dtype, "angle is arctan2(0, x)");
  }
  for (const Operand& operand : question.operands) {
    if (!is_number(operand) || !is_integral(operand.dtype) || arrays == DType::kUndefined) continue;
    if (question.op == "div" || is_floating(arrays) || is_complex(arrays)) continue;
    if (question.op == "pow" && operand.value < 0 && !is_unsigned(arrays))
      return refuses("integers to negative integer powers are not allowed");
    const bool comparison = is_one_of(question.op, kComparisons);
    if (comparison ? is_bool(arrays) && !fits(operand.value, arrays) : !fits(operand.value, arrays))
      return refuses("a Python int must be a value of the array's dtype (OverflowError)");
  }
  const auto casts = [&](DType loop) {
    if (arrays != promoted) return can_cast_safely(promoted, loop);
    for (const Operand& operand : question.operands)
      if (!is_number(operand) && !can_cast_safely(operand.dtype, loop)) return false;
    return true;
  };
  return answer_op(question.op, promoted, 2, casts, rule);
}

inline constexpr RuleBook kNep50{"nep50",        "NumPy 2, NEP 50",
                                 "2.4.6",        "numpy 2.4.6, probed; NEP 50",
                                 numpy::kDTypes, &answer_nep50};

}  // namespace upcast::rulebooks
