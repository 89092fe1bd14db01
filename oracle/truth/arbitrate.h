// Decides who is right if two answers differ.
#pragma once

#include "oracle/judge.h"

namespace upcast::truth {

/// Rules by the truth, as an Arbiter. A side is off if it is not the correctly rounded value and
/// errs by more than its own bound (OpSpec::accuracy). So the truth itself is never off.
Ruling arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

/// arbitrate(), with a memory of the values that it computed. It serves one thread.
Arbiter make_arbiter();

/// The elements on which the truth cannot rule, as a Gaps function. If the truth does not know the
/// op, or has another dtype or shape than the answer, these are all elements.
std::vector<std::size_t> undecided_elements(const Case& c, const Answer& answer);

}  // namespace upcast::truth
