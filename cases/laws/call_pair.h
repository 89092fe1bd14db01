// Laws about one side: pairs of calls that have to answer alike (docs/laws.md). They follow from
// catalogue rows, without a look at the kernels.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cases/case.h"

namespace upcast {

enum class Law : std::uint8_t { kCast, kForms, kNumbers, kWidening, kSiblings };

struct LawInfo {
  std::string_view name;
  std::string_view sentence;
};

inline constexpr std::array<LawInfo, 5> kLaws{{
    {"cast",
     "if a call answers for operands cast to the common dtype, it answers for the mixed operands"},
    {"forms",
     "if a call answers, it also answers in place and with out=, where the result can be cast"},
    {"numbers",
     "if a call answers for a zero-dim tensor, it answers for a number of the same dtype"},
    {"widening",
     "if promotion gives a dtype without a kernel, no wider dtype of its category has a kernel"},
    {"siblings", "aliases, overloads and the two sides of an identity give the same answer"},
}};

constexpr std::string_view name(Law law) { return kLaws[static_cast<int>(law)].name; }
constexpr std::string_view sentence(Law law) { return kLaws[static_cast<int>(law)].sentence; }
/// Reads the name of a law. Throws UsageError if no law has it.
Law parse_law(std::string_view name);

/// Which parts of two answers must be alike: only whether both answer, the dtypes, or the values
/// too.
enum class Alike : std::uint8_t { kAnswering, kDType, kValues };

/// A call, and a witness: if the witness answers, the call must answer.
struct CallPair {
  Law law = Law::kCast;
  Case call{};
  Case witness{};
  Alike alike = Alike::kValues;
  /// The dtype of the tensor that the call writes. The pair counts only where the witness's result
  /// can be cast to it; values are compared after the cast.
  DType written = DType::kUndefined;
  /// The call with its operands converted to the common dtype. The pair counts only where that call
  /// is refused too.
  std::optional<Case> promoted{};
  bool both_ways = false;  // whether each call is the other's witness
};

/// The common dtype of a call's operands, by their dtypes and kinds alone. Nothing if they do not
/// promote, or if the call has no common dtype.
std::optional<DType> common_dtype_of(const Case& c);

using PairVisitor = std::function<void(const CallPair&)>;

/// Calls `visit` with every pair of a law that starts from a callable of the op: all dtypes of one
/// tensor, all pairs of dtypes of several. identity.h has the pairs of identities.
void for_each_pair(Law law, const Op& op, const PairVisitor& visit);

}  // namespace upcast
