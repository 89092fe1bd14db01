// Decides who is right if two answers differ.
#pragma once

#include "oracle/judge.h"

namespace upcast::truth {

/// Rules by the truth, as an Arbiter. A side is off if it is not the correctly rounded value and
/// errs by more than its own bound (OpSpec::accuracy). So the truth itself is never off.
Ruling arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

/// Elements that the truth leaves open, as Gaps. These are all elements of an answer with another
/// dtype or shape than the truth's, and of an op that it does not know.
std::vector<std::size_t> undecided_elements(const Case& c, const Answer& answer);

}  // namespace upcast::truth
