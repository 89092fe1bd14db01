// Functions that make overload rows of the usual forms.
#pragma once

#include "impl/ops/op_spec.h"

namespace upcast {

/// The overload of a unary op with the usual three forms, such as "exp(Tensor self) -> Tensor",
/// "exp_" and "exp.out".
constexpr Overloads unary(std::string_view schema, std::string_view in_place,
                          std::string_view out) {
  return {{{schema, in_place, out}}};
}
/// The overloads of a unary op and of its alias, which has the same three forms.
constexpr Overloads unary(std::string_view schema, std::string_view in_place, std::string_view out,
                          std::string_view alias, std::string_view alias_in_place,
                          std::string_view alias_out) {
  return {{{schema, in_place, out}, {alias, alias_in_place, alias_out}}};
}

/// The dtypes for which elementary functions of a real or complex argument have kernels.
inline constexpr DTypeSet kElementaryTypes = kFloats | kFullComplex;

inline constexpr std::array<std::string_view, kMaxOperands> kSelf{"self"};
inline constexpr std::array<std::string_view, kMaxOperands> kSelfOther{"self", "other"};

}  // namespace upcast
