// can_cast says whether a result of one dtype may be written to an output of another dtype.
#pragma once

#include "impl/promotion/promote_types.h"
#include "impl/promotion/promotion_trace.h"

namespace upcast {

/// As c10::canCast. It is false from complex to any other category, from floating to integral, and
/// from anything but bool to bool. It is true for all other pairs, even if the target is narrower.
constexpr bool can_cast(DType from, DType to, TracedRules rules = kPyTorchRules) {
  if (is_complex(from) && !is_complex(to) && rules.holds(Rule::kComplexNeverCastsToReal))
    return false;
  if (is_floating(from) && is_integral(to) && rules.holds(Rule::kFloatingNeverCastsToIntegral))
    return false;
  return is_bool(from) || !is_bool(to) || !rules.holds(Rule::kOnlyBoolCastsToBool);
}

}  // namespace upcast
