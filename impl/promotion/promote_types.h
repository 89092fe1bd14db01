// promote_types gives the smallest dtype that both dtypes convert to, by PyTorch's table.
#pragma once

#include "impl/promotion/rules.h"

namespace upcast {

namespace internal {

inline constexpr int kTableSize = 14;

/// The dtypes of kPromotionTable's rows, which are also those of its columns.
inline constexpr std::array<DType, kTableSize> kTableDTypes{
    DType::kUInt8,      DType::kInt8,    DType::kInt16,    DType::kInt32,     DType::kInt64,
    DType::kFloat16,    DType::kFloat32, DType::kFloat64,  DType::kComplex32, DType::kComplex64,
    DType::kComplex128, DType::kBool,    DType::kBFloat16, DType::kBComplex32};

// Source: c10::promoteTypes of LibTorch 2.15.0, every cell probed (grid promotion).
// clang-format off
constexpr auto promotion_table() {
  constexpr DType u1 = DType::kUInt8, i1 = DType::kInt8, i2 = DType::kInt16, i4 = DType::kInt32, i8 = DType::kInt64;
  constexpr DType f2 = DType::kFloat16, f4 = DType::kFloat32, f8 = DType::kFloat64, bf = DType::kBFloat16;
  constexpr DType c2 = DType::kComplex32, c4 = DType::kComplex64, c8 = DType::kComplex128, bc = DType::kBComplex32, b1 = DType::kBool;
  return std::array<std::array<DType, kTableSize>, kTableSize>{{
      // The columns' dtypes:
      //        u1  i1  i2  i4  i8  f2  f4  f8  c2  c4  c8  b1  bf  bc
      /* u1 */ {u1, i2, i2, i4, i8, f2, f4, f8, c2, c4, c8, u1, bf, bc},
      /* i1 */ {i2, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, i1, bf, bc},
      /* i2 */ {i2, i2, i2, i4, i8, f2, f4, f8, c2, c4, c8, i2, bf, bc},
      /* i4 */ {i4, i4, i4, i4, i8, f2, f4, f8, c2, c4, c8, i4, bf, bc},
      /* i8 */ {i8, i8, i8, i8, i8, f2, f4, f8, c2, c4, c8, i8, bf, bc},
      /* f2 */ {f2, f2, f2, f2, f2, f2, f4, f8, c2, c4, c8, f2, f4, c4},
      /* f4 */ {f4, f4, f4, f4, f4, f4, f4, f8, c4, c4, c8, f4, f4, c4},
      /* f8 */ {f8, f8, f8, f8, f8, f8, f8, f8, c8, c8, c8, f8, f8, c8},
      /* c2 */ {c2, c2, c2, c2, c2, c2, c4, c8, c2, c4, c8, c2, c4, c4},
      /* c4 */ {c4, c4, c4, c4, c4, c4, c4, c8, c4, c4, c8, c4, c4, c4},
      /* c8 */ {c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8},
      /* b1 */ {u1, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, b1, bf, bc},
      /* bf */ {bf, bf, bf, bf, bf, f4, f4, f8, c4, c4, c8, bf, bf, bc},
      /* bc */ {bc, bc, bc, bc, bc, c4, c4, c8, c4, c4, c8, bc, bc, bc},
  }};
}
// clang-format on
inline constexpr auto kPromotionTable = promotion_table();

constexpr int table_index(DType dtype) {
  for (int i = 0; i < kTableSize; ++i)
    if (kTableDTypes[i] == dtype) return i;
  return kTableSize;
}

/// promote_types of two dtypes. Its checks come in LibTorch's order.
constexpr DTypeResult promote_pair(DType a, DType b) {
  const auto either = [a, b](Group wanted) { return group(a) == wanted || group(b) == wanted; };
  if (a == DType::kUndefined || b == DType::kUndefined) return DType::kUndefined;
  if (a == b) return a;
  if (either(Group::kQuantized)) return PromotionError::kQuantized;
  if (either(Group::kBits)) return PromotionError::kBits;
  if (either(Group::kFloat8)) return PromotionError::kFloat8;
  if (either(Group::kBarebonesUnsigned)) {
    if (is_floating(a)) return a;
    if (is_floating(b)) return b;
    return PromotionError::kBarebonesUnsigned;
  }
  const int row = table_index(a);
  const int column = table_index(b);
  if (row == kTableSize || column == kTableSize) return PromotionError::kNoTableEntry;
  return kPromotionTable[row][column];
}

constexpr Rules pytorch_rules() {
  Rules rules;
  for (int a = 0; a < kDTypeCount; ++a)
    for (int b = 0; b < kDTypeCount; ++b)
      rules.promote[a][b] = promote_pair(dtype_from_code(a), dtype_from_code(b));
  return rules;
}

}  // namespace internal

/// The promotion rules of PyTorch 2.15.0.
inline constexpr Rules kPyTorchRules = internal::pytorch_rules();

/// The dtype that both dtypes promote to, or why there is none. Undefined with any dtype gives
/// Undefined.
constexpr DTypeResult promote_types(DType a, DType b, const Rules& rules = kPyTorchRules) {
  return rules.promote[code(a)][code(b)];
}

/// As promote_types, with two exceptions. Undefined with a dtype gives that dtype. If an operand is
/// already an error, that error is the answer.
constexpr DTypeResult promote_skip_undefined(DTypeResult a, DTypeResult b,
                                             const Rules& rules = kPyTorchRules) {
  if (!a.ok() || b == DTypeResult(DType::kUndefined)) return a;
  if (!b.ok() || a == DTypeResult(DType::kUndefined)) return b;
  return promote_types(a.dtype(), b.dtype(), rules);
}

}  // namespace upcast
