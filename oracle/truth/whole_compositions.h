// Compositions whose truth is one formula, although implementations round each step. Computes the
// value, and what the steps may lose.
#pragma once

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast::truth {

/// Fills `answer`, which has the result's dtype and shape, with the exact values of a whole
/// composition, rounded once. Its leeway is what steps may lose.
///
/// Returns false if the op has no such formula. Returns false too unless all its functions are
/// computed in one dtype, float32 or float64. That dtype must be the result's (or its parts', if a
/// factor is complex), and the operands' too, except for integers that are converted to it.
bool evaluate_whole(const Case& c, Answer& answer);

}  // namespace upcast::truth
