// Broken implementations that several controls share: changes of our answers, and PyTorch's rules
// with one broken.
#pragma once

#include "oracle/planted/broken_rules.h"
#include "properties/property.h"

namespace upcast::properties {

/// Adds 1 to the lowest byte of the first element; inverts a bool.
void nudge(const Case& c, Answer& answer);
/// As nudge, only if the first element of the first tensor has its top bit set: a negative number.
void nudge_of_negative(const Case& c, Answer& answer);
/// As nudge, only if the bytes of the first tensor's values are above those of the second.
void nudge_of_greater_first(const Case& c, Answer& answer);
/// As nudge, only for results with more than one element.
void nudge_of_vectors(const Case& c, Answer& answer);
/// NaN becomes 0.
void nan_is_zero(const Case& c, Answer& answer);

/// Rules where a with b gives another dtype, or a refusal.
template <DType a, DType b, auto wrong>
Rules with_cell() {
  return kPyTorchRules.with_cell(a, b, wrong);
}
/// In both orders.
template <DType a, DType b, auto wrong>
Rules with_cells() {
  return kPyTorchRules.with_cell(a, b, wrong).with_cell(b, a, wrong);
}
template <Rule rule>
Rules without() {
  return rules_without(rule);
}

}  // namespace upcast::properties
