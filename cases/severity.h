// The severity of a wrong answer: how bad it is. Every list of findings is ordered by it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cases/case.h"

namespace upcast {

/// The severities of a wrong answer, the worst first.
enum class Severity : std::uint8_t {
  kCrash,              // the process ends, or never answers
  kWrongKind,          // NaN, infinity, another dtype or shape, a refusal, in common dtypes
  kWrongValue,         // a wrong number for ordinary operands of common dtypes
  kExtremeArguments,   // a wrong number for operands that are not ordinary
  kExperimentalDTypes  // dtypes: float8, uint16, uint32, uint64, complex32
};

inline constexpr std::array<std::string_view, 5> kSeverityNames{
    "crash", "wrong_kind", "wrong_value", "extreme_arguments", "experimental_dtypes"};
constexpr std::string_view name(Severity severity) {
  return kSeverityNames[static_cast<std::size_t>(severity)];
}

/// The facts that decide how bad a wrong answer to a call is.
struct FaultFacts {
  std::string_view kind;  // kind of difference, from the verdict (kind_of)
  bool has_element_of_other_kind =
      false;                     // whether NaN or an infinity replaces a number, or the reverse
  bool is_ordinary = false;      // is_ordinary()
  bool is_experimental = false;  // is_experimental()
};
Severity severity_of(const FaultFacts& facts);

/// Whether people compute with numbers such as those of a case: each of them, and each element, is
/// 0, or between 1e-3 and 1e4 in magnitude.
bool is_ordinary(const Case& c);
/// Whether a tensor of the case, or a dtype that it names, is not a common one.
bool is_experimental(const Case& c);
/// The rarity of the case's rarest tensor (cases/ordinary.h); 0 without a tensor.
int rarity(const Case& c);

}  // namespace upcast
