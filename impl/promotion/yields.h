// Says which operands leave the choice of dtype to others.
#pragma once

#include <algorithm>
#include <span>

#include "impl/promotion/promotion_trace.h"

namespace upcast {

/// Whether an operand leaves the choice of dtype to others. A wrapped number among tensors does. So
/// does a zero-dim tensor among tensors with dimensions of its own category or a higher one.
constexpr bool yields(std::span<const TypedOperand> operands, std::size_t at) {
  const TypedOperand& own = operands[at];
  return std::any_of(operands.begin(), operands.end(), [&own](const TypedOperand& other) {
    if (other.dtype == DType::kUndefined || own.kind == Kind::kDim) return false;
    if (own.kind == Kind::kWrapped) return other.kind != Kind::kWrapped;
    return other.kind == Kind::kDim && category(other.dtype) >= category(own.dtype);
  });
}

}  // namespace upcast
