// What NumPy's two rule books share: promote_types, and ufuncs as sets of loops.
#pragma once

#include <algorithm>

#include "impl/promotion/rulebooks/op_names.h"
#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast::rulebooks::numpy {

/// NumPy's dtypes, in the order of a ufunc's loops. NumPy's long double is left out, because our
/// dtype table has no such row.
inline constexpr std::array<DType, 14> kOrder{
    DType::kBool,    DType::kInt8,    DType::kUInt8,     DType::kInt16,     DType::kUInt16,
    DType::kInt32,   DType::kUInt32,  DType::kInt64,     DType::kUInt64,    DType::kFloat16,
    DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128};

inline constexpr DTypeSet kInts = kIntegers | kUnsigned;
inline constexpr DTypeSet kReals{DType::kFloat16, DType::kFloat32, DType::kFloat64};
inline constexpr DTypeSet kDTypes = kBools | kInts | kReals | kFullComplex;

constexpr bool is_unsigned(DType dtype) {
  return dtype == DType::kUInt8 || kUnsigned.contains(dtype);
}

/// The signed or unsigned integer dtype of `bytes` bytes; float64 if there is none.
constexpr DType signed_of(int bytes) {
  return bytes == 1   ? DType::kInt8
         : bytes == 2 ? DType::kInt16
         : bytes == 4 ? DType::kInt32
         : bytes == 8 ? DType::kInt64
                      : DType::kFloat64;
}
constexpr DType unsigned_of(int bytes) {
  return bytes == 1   ? DType::kUInt8
         : bytes == 2 ? DType::kUInt16
         : bytes == 4 ? DType::kUInt32
                      : DType::kUInt64;
}

/// The smallest floating dtype that holds every value of a dtype: float16 for a dtype of 8 bits,
/// float32 for 16, float64 for more.
constexpr DType float_holding(DType dtype) {
  if (is_floating(dtype)) return dtype;
  if (is_bool(dtype) || itemsize(dtype) == 1) return DType::kFloat16;
  return itemsize(dtype) == 2 ? DType::kFloat32 : DType::kFloat64;
}

/// np.promote_types. Every pair of dtypes has an answer.
constexpr DType promote(DType a, DType b) {
  if (a == b || is_bool(b)) return a;
  if (is_bool(a)) return b;
  if (is_complex(a) || is_complex(b)) {
    const DType real_a = is_complex(a) ? to_real(a) : float_holding(a);
    const DType real_b = is_complex(b) ? to_real(b) : float_holding(b);
    const bool wide = real_a == DType::kFloat64 || real_b == DType::kFloat64;
    return wide ? DType::kComplex128 : DType::kComplex64;
  }
  if (is_floating(a) || is_floating(b)) {
    const DType real_a = float_holding(a);
    const DType real_b = float_holding(b);
    return itemsize(real_a) >= itemsize(real_b) ? real_a : real_b;
  }
  if (is_unsigned(a) == is_unsigned(b)) return itemsize(a) >= itemsize(b) ? a : b;
  const DType with_sign = is_unsigned(a) ? b : a;
  const DType without = is_unsigned(a) ? a : b;
  return signed_of(std::max(itemsize(with_sign), 2 * itemsize(without)));
}

/// np.result_type of arrays only. It promotes from the highest dtype down, so that the arrays'
/// order does not matter. NumPy 1.26.4 and 2.4.6 agree with it for all 2,940 sets of three or four
/// dtypes.
template <class Counts>
constexpr DType promote_all(std::span<const Operand> operands, const Counts& counts) {
  DType result = DType::kUndefined;
  for (auto dtype = kOrder.rbegin(); dtype != kOrder.rend(); ++dtype)
    for (const Operand& operand : operands)
      if (operand.dtype == *dtype && counts(operand))
        result = result == DType::kUndefined ? *dtype : promote(result, *dtype);
  return result;
}

constexpr bool can_cast_safely(DType from, DType to) { return promote(from, to) == to; }

/// As np.can_cast(casting="same_kind"). It is true for a safe cast, and for a cast within a kind or
/// to a higher kind.
constexpr bool can_cast_same_kind(DType from, DType to) {
  if (can_cast_safely(from, to)) return true;
  // The kinds of dtypes, from the lowest: unsigned, signed, float, complex.
  const auto kind = [](DType dtype) {
    return is_bool(dtype)       ? 0
           : is_unsigned(dtype) ? 1
           : is_integral(dtype) ? 2
           : is_floating(dtype) ? 3
                                : 4;
  };
  return kind(from) <= kind(to);
}

enum class Result : std::uint8_t { kLoop, kBool, kReal };

struct Ufunc {
  std::string_view names;
  DTypeSet loops;
  Result result = Result::kLoop;
};

// Source: the attribute `types` of each ufunc in NumPy 1.18.5, 1.26.4 and 2.4.6, read from the
// libraries.
inline constexpr std::array<Ufunc, 13> kUfuncs{{
    {"add mul maximum minimum fmax fmin", kDTypes},
    {"sub pow reciprocal square conj", kDTypes - kBools},
    {"neg positive sign", kDTypes - kBools},
    {"floor_divide remainder", kInts | kReals},
    {"div sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh exp exp2 expm1 log log10 "
     "log1p log2 sqrt rint",
     kReals | kFullComplex},
    {"atan2 logaddexp nextafter fabs cbrt deg2rad rad2deg spacing modf frexp hypot copysign "
     "heaviside",
     kReals},
    {"eq ne lt le gt ge logical_and logical_or logical_xor logical_not isfinite isinf isnan",
     kDTypes, Result::kBool},
    {"signbit", kReals, Result::kBool},
    {"bitwise_and bitwise_or bitwise_xor bitwise_not", kBools | kInts},
    {"bitwise_left_shift bitwise_right_shift gcd lcm", kInts},
    {"abs", kDTypes, Result::kReal},
    {"real imag", kDTypes, Result::kReal},
    {"clamp", kDTypes},
}};

constexpr const Ufunc* find_ufunc(std::string_view op) {
  for (const Ufunc& ufunc : kUfuncs)
    if (is_one_of(op, ufunc.names)) return &ufunc;
  return nullptr;
}

/// The reply of a ufunc that takes its first loop to whose dtype all operands cast safely, which
/// `casts(loop)` says.
template <class Casts>
constexpr Reply first_loop(const Ufunc& ufunc, DType promoted, const Casts& casts,
                           std::string_view rule) {
  for (const DType loop : kOrder) {
    if (!ufunc.loops.contains(loop) || !casts(loop)) continue;
    if (ufunc.result == Result::kBool) return gives(DType::kBool, "the ufunc's loops return bool");
    if (ufunc.result == Result::kReal && is_complex(loop))
      return gives(to_real(loop), "the real counterpart of a complex loop");
    return gives(loop,
                 loop == promoted ? rule : "the ufunc's first loop that holds the promoted dtype");
  }
  return refuses("no loop of the ufunc holds the promoted dtype");
}

/// The reply for an op whose operands together promote to `promoted`. `casts(dtype)` says whether
/// all of them cast safely to a loop's dtype. `version` is the major version of NumPy, 1 or 2.
template <class Casts>
constexpr Reply answer_op(std::string_view op, DType promoted, int version, const Casts& casts,
                          std::string_view rule) {
  const bool boolean = is_bool(promoted);
  const bool integral = boolean || is_integral(promoted);
  if (op == "promote_types" || op == "result_type") return gives(promoted, rule);
  if (op == "div" && integral)
    return gives(DType::kFloat64, "true division of integers is float64");
  if (op == "sub" && boolean) return refuses("subtract refuses two bools: use xor");
  if (boolean && is_one_of(op, "neg positive sign"))
    return refuses("no loop for bool, by decision");
  if (is_one_of(op, "floor ceil trunc")) {
    if (is_complex(promoted)) return refuses("no loop of the ufunc holds the promoted dtype");
    if (version >= 2 || !integral) return gives(promoted, "integers and bool are kept");
    return gives(float_holding(promoted), "the ufunc's first loop that holds the promoted dtype");
  }
  if (op == "round")
    return boolean ? gives(DType::kFloat16, "round of bool goes through rint")
                   : gives(promoted, "the dtype is kept");
  const Ufunc* ufunc = find_ufunc(op);
  if (ufunc == nullptr) return outside("the rule book has no such op");
  return first_loop(*ufunc, promoted, casts, rule);
}

/// The reply to a question about can_cast: the target dtype if the cast is allowed, otherwise a
/// refusal.
constexpr Reply answer_can_cast(const Question& question) {
  const DType from = question.operands[0].dtype;
  const DType to = question.operands[1].dtype;
  const bool allowed =
      question.op == "can_cast.safe" ? can_cast_safely(from, to) : can_cast_same_kind(from, to);
  return allowed ? gives(to, "the cast is allowed") : refuses("the cast is not allowed");
}

}  // namespace upcast::rulebooks::numpy
