// Broken implementations that several controls share: what is done to an answer of ours, and
// PyTorch's rules but for one.
#pragma once

#include "oracle/planted/broken_rules.h"
#include "properties/property.h"

namespace upcast::properties {

/// Adds 1 to the lowest byte of the first element; turns a bool over.
void nudge(const Case& c, Answer& answer);
/// The same, where the first element of the first tensor has its top bit set: a negative number.
void nudge_of_negative(const Case& c, Answer& answer);
/// The same, where the bytes of the first tensor's values are above those of the second one.
void nudge_of_greater_first(const Case& c, Answer& answer);
/// The same, of results with more than one element.
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
