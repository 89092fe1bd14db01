// The names of ops, as each promotion system spells them and as questions to rule books do.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace upcast::rulebooks {

inline constexpr std::array<std::pair<std::string_view, std::string_view>, 56> kOpAliases{{
    {"subtract", "sub"},
    {"multiply", "mul"},
    {"divide", "div"},
    {"true_divide", "div"},
    {"truediv", "div"},
    {"floordiv", "floor_divide"},
    {"mod", "remainder"},
    {"power", "pow"},
    {"equal", "eq"},
    {"not_equal", "ne"},
    {"less", "lt"},
    {"less_than", "lt"},
    {"less_equal", "le"},
    {"greater", "gt"},
    {"greater_than", "gt"},
    {"greater_equal", "ge"},
    {"and", "bitwise_and"},
    {"or", "bitwise_or"},
    {"xor", "bitwise_xor"},
    {"arctan2", "atan2"},
    {"absolute", "abs"},
    {"invert", "bitwise_not"},
    {"bitwise_invert", "bitwise_not"},
    {"clip", "clamp"},
    {"negative", "neg"},
    {"conjugate", "conj"},
    {"arccos", "acos"},
    {"arcsin", "asin"},
    {"arctan", "atan"},
    {"arccosh", "acosh"},
    {"arcsinh", "asinh"},
    {"arctanh", "atanh"},
    {"lax.erf", "lax_erf"},
    {"scipy.erf", "erf"},
    {"scipy.erfc", "erfc"},
    {"scipy.erfinv", "erfinv"},
    {"scipy.digamma", "digamma"},
    {"scipy.gammaln", "lgamma"},
    {"scipy.expit", "sigmoid"},
    {"add_", "add"},
    {"subtract_", "sub"},
    {"multiply_", "mul"},
    {"divide_", "div"},
    {"div_", "div"},
    {"lax.erfc", "lax_erfc"},
    {"lax.erf_inv", "lax_erfinv"},
    {"lax.rsqrt", "lax_rsqrt"},
    {"lax.logistic", "lax_sigmoid"},
    {"lax.digamma", "lax_digamma"},
    {"lax.lgamma", "lax_lgamma"},
    {"nn.sigmoid", "lax_sigmoid"},
    {"nn.relu", "relu"},
    {"nn.gelu", "gelu"},
    {"nn.silu", "silu"},
    {"nn.softplus", "softplus"},
    {"nn.elu", "elu"},
}};

/// The main name of an op that has several: "true_divide" gives "div". Any other name is returned
/// unchanged.
constexpr std::string_view canonical_op(std::string_view name) {
  for (const auto& [alias, canonical] : kOpAliases)
    if (alias == name) return canonical;
  return name;
}

/// Lists of op names that several rule books use.
inline constexpr std::string_view kComparisons = "eq ne lt le gt ge";
inline constexpr std::string_view kLogicalOps = "logical_and logical_or logical_xor";
inline constexpr std::string_view kBitwiseOps =
    "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift";

}  // namespace upcast::rulebooks
