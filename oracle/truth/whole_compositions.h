// Compositions that have a value as a whole, though their steps are rounded one by one: the value,
// and what the steps may lose.
#pragma once

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast::truth {

/// Gives `answer`, which has the result's dtype and shape, the values of the whole call, and what
/// the steps may lose as its leeway. False where the op has no such row, or where its functions are
/// not all taken in float32 or float64, the dtype of the result (of its parts, where a factor is
/// complex), of tensors of that dtype, or of integers that become it.
bool evaluate_whole(const Case& c, Answer& answer);

}  // namespace upcast::truth
