// Helpers that make overload rows of the usual forms.
#pragma once

#include "impl/ops/op_spec.h"

namespace upcast {

/// The forms of a unary op: "exp(Tensor self) -> Tensor", "exp_", "exp.out".
constexpr Overloads unary(std::string_view schema, std::string_view in_place,
                          std::string_view out) {
  return {{{schema, in_place, out}}};
}
/// As unary, with an alias that has the same forms.
constexpr Overloads unary(std::string_view schema, std::string_view in_place, std::string_view out,
                          std::string_view alias, std::string_view alias_in_place,
                          std::string_view alias_out) {
  return {{{schema, in_place, out}, {alias, alias_in_place, alias_out}}};
}

/// The dtypes of elementary functions of a real or complex argument.
inline constexpr DTypeSet kElementaryTypes = kFloats | kFullComplex;

inline constexpr std::array<std::string_view, kMaxOperands> kSelf{"self"};
inline constexpr std::array<std::string_view, kMaxOperands> kSelfOther{"self", "other"};

}  // namespace upcast
