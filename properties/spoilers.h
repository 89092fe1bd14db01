// Broken implementations that several controls share: what is done to an answer of ours.
#pragma once

#include "properties/property.h"

namespace upcast::properties {

/// Adds 1 to the lowest byte of the first element; turns a bool over.
void nudge(const Case& c, Answer& answer);
/// The same, where the first element of the first tensor has its top bit set: a negative number.
void nudge_of_negative(const Case& c, Answer& answer);
/// The same, where the bytes of the first tensor's values are above those of the second one.
void nudge_of_greater_first(const Case& c, Answer& answer);
/// The same, of results with more than one element.
void nudge_of_vectors(const Case& c, Answer& answer);
/// NaN becomes 0.
void nan_is_zero(const Case& c, Answer& answer);

}  // namespace upcast::properties
