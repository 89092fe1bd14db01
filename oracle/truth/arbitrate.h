// Who is right where two answers differ.
#pragma once

#include "oracle/judge.h"

namespace upcast::truth {

/// The truth as an Arbiter. A side is off where it is not the correctly rounded value and errs by
/// more than its own bound (OpSpec::accuracy), so that the truth never is.
Ruling arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

}  // namespace upcast::truth
