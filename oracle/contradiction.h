// Finds contradictions between two answers of one system that no rounding explains.
#pragma once

#include "oracle/answer.h"

namespace upcast {

/// Whether two replies differ in a way that no rounding explains. One dies, refuses or cannot say,
/// and the other one answers. Or their dtypes differ. Or a part of an element is finite, infinite
/// or NaN in one reply and of another of these three kinds in the other. If the lengths differ,
/// only the elements that both have are compared.
bool contradict_in_kind(const Reply& a, const Reply& b);
bool contradict_in_kind(const Answer& a, const Answer& b);

}  // namespace upcast
