// Broken implementations that several controls share: changes of our answers, and PyTorch's rules
// with one broken.
#pragma once

#include "oracle/planted/broken_rules.h"
#include "properties/property.h"

namespace upcast::properties {

/// Adds 1 to the lowest byte of an answer's first element, or inverts it if it is a bool.
void nudge(const Case& c, Answer& answer);
/// Spoils the answer as nudge() does, but only if the first element of the first tensor is negative
/// (its top bit is set).
void nudge_of_negative(const Case& c, Answer& answer);
/// Spoils the answer as nudge() does, but only if the values of the first tensor, compared as
/// bytes, are above those of the second.
void nudge_of_greater_first(const Case& c, Answer& answer);
/// Spoils the answer as nudge() does, but only if it has more than one element.
void nudge_of_vectors(const Case& c, Answer& answer);
/// Replaces NaN by 0.
void nan_is_zero(const Case& c, Answer& answer);

/// PyTorch's rules with one cell broken: a with b gives `wrong`, another dtype or a refusal.
template <DType a, DType b, auto wrong>
Rules with_cell() {
  return kPyTorchRules.with_cell(a, b, wrong);
}
/// PyTorch's rules with one pair broken in both orders: a with b and b with a give `wrong`.
template <DType a, DType b, auto wrong>
Rules with_cells() {
  return kPyTorchRules.with_cell(a, b, wrong).with_cell(b, a, wrong);
}
template <Rule rule>
Rules without() {
  return rules_without(rule);
}

}  // namespace upcast::properties
