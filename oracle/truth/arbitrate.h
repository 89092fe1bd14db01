// Who is right where two answers differ.
#pragma once

#include "oracle/judge.h"

namespace upcast::truth {

/// The truth as an Arbiter. A side is off where it is not the correctly rounded value and errs by
/// more than its own bound (OpSpec::accuracy), so that the truth is never off.
Ruling arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

/// The truth's Gaps: elements that it leaves out; all of an answer of another dtype or shape than
/// its own, and of an op that it does not know.
std::vector<std::size_t> undecided_elements(const Case& c, const Answer& answer);

}  // namespace upcast::truth
