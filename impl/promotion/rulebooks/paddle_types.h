// What Paddle's three rule books share: classes of dtypes, and phi's promotion table.
#pragma once

#include "impl/promotion/promote_types.h"
#include "impl/promotion/rulebooks/op_names.h"
#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast::rulebooks::paddle {

inline constexpr DTypeSet kFloating = kFloats;
inline constexpr DTypeSet kDTypes = kBools | kIntegers | kFloating | kFullComplex;
/// Dtypes to which Paddle can cast, but in which no op computes.
inline constexpr DTypeSet kCastOnly{DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kUInt32,
                                    DType::kUInt64};

enum class Class : std::uint8_t { kNone, kInt, kFloat, kComplex };

/// The class of a dtype. bool is in no class.
constexpr Class class_of(DType dtype) {
  return is_complex(dtype)           ? Class::kComplex
         : kFloating.contains(dtype) ? Class::kFloat
         : kIntegers.contains(dtype) ? Class::kInt
                                     : Class::kNone;
}

/// The promotion table of phi, Paddle's kernel library, for 12 dtypes. It equals PyTorch's table on
/// them.
constexpr DType table(DType a, DType b) { return promote_types(a, b).dtype(); }

/// The dtype that a Python number has as a tensor.
constexpr DType number_dtype(DType number) {
  return is_floating(number) ? DType::kFloat32 : is_complex(number) ? DType::kComplex64 : number;
}

constexpr Reply no_promotion() {
  return refuses("type promotion is only for floats, and for complex with real");
}

}  // namespace upcast::rulebooks::paddle
