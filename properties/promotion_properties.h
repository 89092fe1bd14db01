// What promotion is: of two dtypes, of operands with priorities, of calls with outputs.
#pragma once

#include <span>

#include "oracle/planted/broken_rules.h"
#include "properties/property.h"

namespace upcast::properties {

/// promote_types and can_cast.
std::span<const Property> promote_types_properties();
/// result_type, default dtypes, wrapped numbers.
std::span<const Property> result_type_properties();
/// The dtypes that calls answer with, in every form.
std::span<const Property> call_dtype_properties();

// Controls: PyTorch's rules but for one.

/// Where a with b gives another dtype, or a refusal.
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
