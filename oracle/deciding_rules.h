// Which rules of promotion decide a case: the branches that it takes.
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "impl/promotion/promotion.h"

namespace upcast {

/// The rule by which an operand enters its slot.
Rule entering_rule(TypedOperand operand);
/// The rule by which an integral or bool common dtype becomes the default dtype.
Rule floating_rule(DType common);
/// The rule by which `from` does not cast to `to`.
Rule refusing_rule(DType from, DType to);

/// Of one case, by PyTorch's rules.
struct DecidingRules {
  std::uint64_t rules = 0;  // bit i: Rule i
  /// Of zero_dim with wrapped, then of dim with the outcome; kCount where a slot was empty.
  Rule lower = Rule::kCount, upper = Rule::kCount;

  void add(Rule rule) { rules |= std::uint64_t{1} << static_cast<int>(rule); }
  bool holds(Rule rule) const { return rules >> static_cast<int>(rule) & 1; }
};

/// Reads the case alone, makes no tensor: cheap enough for each input of a fuzzer. Empty for an op
/// that has no operands of its own (result_type).
DecidingRules deciding_rules(const Case& c);

}  // namespace upcast
