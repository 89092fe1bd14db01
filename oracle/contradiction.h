// Finds contradictions between two answers of one system that no rounding explains.
#pragma once

#include "oracle/answer.h"

namespace upcast {

/// Whether two replies differ in kind: one dies, refuses or cannot say where the other one answers;
/// they are of different dtypes; or an element that both have is finite in the one and infinite or
/// NaN in the other, or infinite in the one and NaN in the other, in any part. If the lengths
/// differ, the elements that both have are compared.
bool contradict_in_kind(const Reply& a, const Reply& b);
bool contradict_in_kind(const Answer& a, const Answer& b);

}  // namespace upcast
