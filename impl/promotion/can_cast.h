// can_cast: whether a result of one dtype may be written to an output of another.
#pragma once

#include "impl/promotion/promote_types.h"

namespace upcast {

/// c10::canCast. False from complex to anything else, from floating to integral, and from anything
/// but bool to bool; true for all other pairs, whatever the widths.
constexpr bool can_cast(DType from, DType to, const Rules& rules = kPyTorchRules) {
  if (rules.holds(Rule::kComplexNeverCastsToReal) && is_complex(from) && !is_complex(to))
    return false;
  if (rules.holds(Rule::kFloatingNeverCastsToIntegral) && is_floating(from) && is_integral(to))
    return false;
  return !(rules.holds(Rule::kOnlyBoolCastsToBool) && !is_bool(from) && is_bool(to));
}

}  // namespace upcast
