// Results that depend on the machine: nobody is right about them.
#pragma once

#include <vector>

#include "cases/case.h"

namespace upcast {

/// For each element of the result (logical order) whether the host decides its value: a float that
/// is NaN or, truncated, beyond the range of the integral dtype that it is copied to. Empty where
/// every element can be judged.
std::vector<bool> host_defined_elements(const Case& c, DType result);

}  // namespace upcast
