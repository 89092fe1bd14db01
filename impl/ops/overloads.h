// Overload rows in their usual shapes.
#pragma once

#include "impl/ops/op_spec.h"

namespace upcast {

/// "exp(Tensor self) -> Tensor", "exp_", "exp.out".
constexpr Overloads unary(std::string_view schema, std::string_view in_place,
                          std::string_view out) {
  return {{{schema, in_place, out}}};
}
/// As unary, and the same under a second name.
constexpr Overloads unary(std::string_view schema, std::string_view in_place, std::string_view out,
                          std::string_view alias, std::string_view alias_in_place,
                          std::string_view alias_out) {
  return {{{schema, in_place, out}, {alias, alias_in_place, alias_out}}};
}

/// Elementary functions of a real or complex argument.
inline constexpr DTypeSet kElementaryTypes = kFloats | kFullComplex;

inline constexpr std::array<std::string_view, kMaxOperands> kSelf{"self"};
inline constexpr std::array<std::string_view, kMaxOperands> kSelfOther{"self", "other"};

}  // namespace upcast
