// Compositions that have a value as a whole, although their steps are rounded one by one. It gives
// the value, and what the steps may lose.
#pragma once

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast::truth {

/// Fills `answer`, which has the result's dtype and shape, with the values of the whole call, and
/// with what the steps may lose as its leeway. Returns false if the op has no such row. Returns
/// false, too, unless all its functions are computed in float32 or float64, the dtype of the result
/// (of its parts, if a factor is complex), from tensors of that dtype, or from integers that become
/// it.
bool evaluate_whole(const Case& c, Answer& answer);

}  // namespace upcast::truth
