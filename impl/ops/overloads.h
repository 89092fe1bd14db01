// Overload rows in their usual shapes.
#pragma once

#include "impl/ops/op_spec.h"

namespace upcast {

/// "exp(Tensor self) -> Tensor", "exp_", "exp.out".
constexpr Overloads unary(std::string_view schema, std::string_view in_place,
                          std::string_view out) {
  return {{{schema, in_place, out}}};
}

/// Elementary functions of a real or complex argument.
inline constexpr DTypeSet kElementaryTypes = kFloats | kFullComplex;

inline constexpr std::array<std::string_view, kMaxOperands> kSelf{"self"};
inline constexpr std::array<std::string_view, kMaxOperands> kSelfOther{"self", "other"};

}  // namespace upcast
