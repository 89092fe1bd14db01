// The rule book of the Python array API standard. It has a promotion table for each kind of dtype.
// Across kinds, only Python numbers promote.
#pragma once

#include "impl/promotion/rulebooks/numpy_types.h"

namespace upcast::rulebooks {
namespace array_api {

inline constexpr DTypeSet kFloatsOnly = kFullFloats;
inline constexpr DTypeSet kInexact = kFullFloats | kFullComplex;
inline constexpr DTypeSet kRealNumeric = numpy::kInts | kFullFloats;
inline constexpr DTypeSet kNumeric = kRealNumeric | kFullComplex;
inline constexpr DTypeSet kAll = kBools | kNumeric;

/// A group of ops: the dtypes that they take, and whether they return bool.
struct OpKind {
  std::string_view names;
  DTypeSet takes;
  std::string_view refusal;
  bool returns_bool = false;
};

// Source of the table: the elementwise functions of the array API standard 2025.12.
// array-api-strict 2.6.1 was probed.
inline constexpr std::array<OpKind, 13> kOps{{
    {"add sub mul pow abs real neg positive conj square round sign", kNumeric,
     "only numeric dtypes are allowed"},
    {"div sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh exp expm1 log log10 log1p "
     "log2 sqrt reciprocal",
     kInexact, "only floating-point dtypes are allowed"},
    {"floor_divide remainder maximum minimum clamp floor ceil trunc", kRealNumeric,
     "only real numeric dtypes are allowed"},
    {"lt le gt ge", kRealNumeric, "only real numeric dtypes are allowed", true},
    {"eq ne", kAll, "", true},
    {"isfinite isinf isnan", kNumeric, "only numeric dtypes are allowed", true},
    {"logical_and logical_or logical_xor logical_not", kBools, "only boolean dtypes are allowed",
     true},
    {"bitwise_and bitwise_or bitwise_xor bitwise_not", kBools | numpy::kInts,
     "only integer or boolean dtypes are allowed"},
    {"bitwise_left_shift bitwise_right_shift", numpy::kInts, "only integer dtypes are allowed"},
    {"atan2 logaddexp nextafter copysign hypot", kFloatsOnly,
     "only real floating-point dtypes are allowed"},
    {"signbit", kFloatsOnly, "only real floating-point dtypes are allowed", true},
    {"imag", kFullComplex, "only complex dtypes are allowed"},
    {"where result_type promote_types", kAll, ""},
}};

/// The standard's promote_types; kUndefined if the standard has no entry for the pair.
constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_bool(a) || is_bool(b)) return DType::kUndefined;
  const bool integral_a = is_integral(a);
  if (integral_a != is_integral(b)) return DType::kUndefined;
  const DType common = numpy::promote(a, b);
  return integral_a && !is_integral(common) ? DType::kUndefined : common;
}

/// The dtype of an array with a Python number; kUndefined if the standard refuses the pair.
constexpr DType with_number(DType array, const Operand& number) {
  if (is_bool(number.dtype) || is_bool(array))
    return is_bool(number.dtype) && is_bool(array) ? array : DType::kUndefined;
  if (is_integral(number.dtype)) return array;
  if (is_integral(array)) return DType::kUndefined;
  if (is_floating(number.dtype) || is_complex(array)) return array;
  return array == DType::kFloat64 ? DType::kComplex128 : DType::kComplex64;
}

constexpr bool fits(const Operand& number, DType dtype) {
  long double half = 1;
  for (int bit = 1; bit < 8 * itemsize(dtype); ++bit) half *= 2;
  if (numpy::is_unsigned(dtype)) return number.value >= 0 && number.value < 2 * half;
  return number.value >= -half && number.value < half;
}

constexpr Reply promoted_dtype(const Question& question) {
  DType common = DType::kUndefined;
  for (const Operand& operand : question.operands) {
    if (is_number(operand)) continue;
    if (common != DType::kUndefined) {
      common = promote(common, operand.dtype);
      if (common == DType::kUndefined)
        return refuses("the standard's tables do not mix these dtypes");
    } else {
      common = operand.dtype;
    }
  }
  if (common == DType::kUndefined)
    return outside("the standard says nothing about numbers without an array");
  std::string_view rule = "the table of the kind";
  for (const Operand& operand : question.operands) {
    if (!is_number(operand)) continue;
    const DType array = common;
    common = with_number(common, operand);
    if (common == DType::kUndefined)
      return refuses("a Python number may not be of a higher kind, nor a bool unless both are");
    if (is_integral(operand.dtype) && is_integral(array) && !fits(operand, array))
      return refuses("a Python int must be a value of the array's dtype");
    rule = "a Python number takes the array's dtype, or its complex counterpart";
  }
  return gives(common, rule);
}

}  // namespace array_api

constexpr Reply answer_array_api(const Question& question) {
  using namespace array_api;
  if (question.op == "can_cast") {
    const DType to = question.operands[1].dtype;
    return promote(question.operands[0].dtype, to) == to ? gives(to, "the table gives the target")
                                                         : refuses("the table gives another dtype");
  }
  const OpKind* kind = nullptr;
  for (const OpKind& each : kOps)
    if (is_one_of(question.op, each.names)) kind = &each;
  if (kind == nullptr) return outside("the standard has no such op");
  for (const Operand& operand : question.operands)
    if (!is_number(operand) && !kind->takes.contains(operand.dtype)) return refuses(kind->refusal);
  for (const Operand& operand : question.operands)
    if (question.op == "pow" && is_number(operand) && is_integral(operand.dtype) &&
        operand.value < 0 && is_integral(question.operands[0].dtype))
      return refuses("integers to negative integer powers are not allowed");
  const Reply common = promoted_dtype(question);
  if (!common.ok()) return common;
  if (kind->returns_bool) return gives(DType::kBool, "the op returns bool");
  if (is_complex(common.dtype) && is_one_of(question.op, "abs real imag"))
    return gives(to_real(common.dtype), "the real counterpart");
  return common;
}

inline constexpr RuleBook kArrayApi{"array-api",     "Python array API standard",
                                    "2025.12",       "array-api-strict 2.6.1, probed",
                                    array_api::kAll, &answer_array_api};

}  // namespace upcast::rulebooks
