// The rule book of NumPy 1, with its value-based casting.
#pragma once

#include "impl/promotion/rulebooks/numpy_types.h"

namespace upcast::rulebooks {
namespace numpy {

/// The smallest dtype for a value. `small_unsigned`: the dtype is unsigned, but the signed dtype of
/// its size holds the value too.
struct Minimal {
  DType dtype;
  bool small_unsigned = false;
};

/// The class of a dtype by which NumPy 1 decides whether values count: 0 is bool, 1 integer, 2
/// inexact.
constexpr int kind_of(DType dtype) { return is_bool(dtype) ? 0 : is_integral(dtype) ? 1 : 2; }

/// np.min_scalar_type: the smallest dtype of the same kind that holds the value. A float may lose
/// precision, but must stay in range.
constexpr Minimal min_scalar_type(DType dtype, long double value) {
  if (is_bool(dtype)) return {dtype};
  if (is_integral(dtype)) {
    long double limit = 128;  // becomes 2^7, 2^15, 2^31, 2^63
    for (const int bytes : {1, 2, 4, 8}) {
      if (value < 0 && value >= -limit) return {signed_of(bytes)};
      if (value >= 0 && value < 2 * limit) return {unsigned_of(bytes), value < limit};
      for (int bit = 0; bit < 8 * bytes; ++bit) limit *= 2;
    }
    return {DType::kUndefined};  // NumPy makes a value beyond uint64 a Python object
  }
  const long double magnitude = value < 0 ? -value : value;
  const bool finite = magnitude <= 0x1.fffffffffffffp1023L;  // NaN counts as not finite
  const DType real = !finite || magnitude < 65000 ? DType::kFloat16
                     : magnitude < 3.4e38L        ? DType::kFloat32
                                                  : DType::kFloat64;
  if (is_floating(dtype)) return {itemsize(real) < itemsize(dtype) ? real : dtype};
  const DType narrow = real == DType::kFloat64 ? DType::kComplex128 : DType::kComplex64;
  return {itemsize(narrow) < itemsize(dtype) ? narrow : dtype};
}

/// The promotion of two minimal dtypes. A small unsigned value counts as signed if the other dtype
/// is signed.
constexpr Minimal promote_values(Minimal a, Minimal b) {
  const auto as_signed = [](Minimal of, Minimal other) {
    const bool signed_other = is_integral(other.dtype) && !is_unsigned(other.dtype);
    return of.small_unsigned && signed_other ? signed_of(itemsize(of.dtype)) : of.dtype;
  };
  return {promote(as_signed(a, b), as_signed(b, a)), a.small_unsigned && b.small_unsigned};
}

/// The dtype of an operand whose value does not count. A Python int of at least 2^63 is uint64.
constexpr DType full_dtype(const Operand& operand) {
  if (!is_number(operand) || !is_integral(operand.dtype)) return operand.dtype;
  const Minimal minimal = min_scalar_type(operand.dtype, operand.value);
  return minimal.dtype == DType::kUndefined ||
                 (minimal.dtype == DType::kUInt64 && !minimal.small_unsigned)
             ? minimal.dtype
             : operand.dtype;
}

/// Whether the values of scalars count. They do if there are arrays, and no scalar has a higher
/// kind than all arrays.
constexpr bool looks_at_values(std::span<const Operand> operands) {
  int arrays = -1;
  int scalars = -1;
  for (const Operand& operand : operands) {
    int& kind = operand.rank == Rank::kDim ? arrays : scalars;
    kind = std::max(kind, kind_of(operand.dtype));
  }
  return arrays >= 0 && scalars >= 0 && arrays >= scalars;
}

/// np.result_type of NumPy 1; kUndefined if the result is a Python object.
constexpr DType result_type(std::span<const Operand> operands) {
  const bool by_value = looks_at_values(operands);
  Minimal result{DType::kUndefined};
  for (const Operand& operand : operands) {
    Minimal next{full_dtype(operand)};
    if (next.dtype == DType::kUndefined) return DType::kUndefined;
    if (by_value && operand.rank != Rank::kDim)
      next = min_scalar_type(operand.dtype, operand.value);
    result = result.dtype == DType::kUndefined ? next : promote_values(result, next);
  }
  const bool numbers = std::any_of(operands.begin(), operands.end(), is_number);
  return by_value || numbers ? result.dtype
                             : promote_all(operands, [](const Operand&) { return true; });
}

/// Whether every operand casts safely to a loop's dtype. Scalars cast by their value if
/// looks_at_values().
constexpr bool all_cast(std::span<const Operand> operands, DType loop) {
  const bool by_value = looks_at_values(operands);
  for (const Operand& operand : operands) {
    const bool scalar = by_value && operand.rank != Rank::kDim;
    const Minimal minimal =
        scalar ? min_scalar_type(operand.dtype, operand.value) : Minimal{full_dtype(operand)};
    if (promote_values(minimal, {loop}).dtype != loop) return false;
  }
  return true;
}

/// Ops that run the loop of result_type's dtype. All other ops search their loops for the first
/// that fits.
inline constexpr std::string_view kUniformOps = "add sub mul div maximum minimum fmax fmin";

}  // namespace numpy

constexpr Reply answer_numpy_legacy(const Question& question) {
  using namespace numpy;
  if (question.op == "can_cast.safe" || question.op == "can_cast.same_kind")
    return answer_can_cast(question);
  if (question.op == "min_scalar_type") {
    const DType dtype =
        min_scalar_type(question.operands[0].dtype, question.operands[0].value).dtype;
    return dtype == DType::kUndefined ? outside("a Python object")
                                      : gives(dtype, "the smallest dtype that holds the value");
  }
  if (question.op == "angle") {
    const Operand& x = question.operands[0];
    if (is_complex(x.dtype)) return gives(to_real(x.dtype), "angle is arctan2(imag, real)");
    const std::array<Operand, 2> operands{{{DType::kInt64, Rank::kNumber, 0}, x}};
    const auto casts = [&](DType loop) { return all_cast(operands, loop); };
    return answer_op("atan2", result_type(operands), 1, casts, "angle is arctan2(0, x)");
  }
  const DType promoted = result_type(question.operands);
  if (promoted == DType::kUndefined) return outside("the result is an array of Python objects");
  for (const Operand& operand : question.operands) {
    if (question.op == "pow" && is_number(operand) && operand.value < 0 &&
        is_integral(operand.dtype) && is_integral(promoted))
      return refuses("integers to negative integer powers are not allowed");
  }
  const bool uniform = is_one_of(question.op, kUniformOps);
  const auto casts = [&](DType loop) {
    return uniform ? can_cast_safely(promoted, loop) : all_cast(question.operands, loop);
  };
  return answer_op(question.op, promoted, 1, casts,
                   looks_at_values(question.operands)
                       ? "scalars count by their value (min_scalar_type)"
                       : "promote_types of the dtypes");
}

inline constexpr RuleBook kNumpyLegacy{"numpy-legacy", "NumPy 1, value-based casting",
                                       "1.26.4",       "numpy 1.18.5 and 1.26.4, probed",
                                       numpy::kDTypes, &answer_numpy_legacy};

}  // namespace upcast::rulebooks
