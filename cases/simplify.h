// Structural shrinking: what a simpler case is.
#pragma once

#include <vector>

#include "cases/case.h"

namespace upcast {

/// Cases one step simpler than `c`, the boldest steps first: the default dtype float32, fewer
/// operands, attributes left to their defaults, the functional form, tensors of lower category and
/// then simpler dtype, fewer dimensions, fewer elements, contiguous, simple values. Each step leads
/// to a case that is simpler in that order, so a chain of them ends. Those that `admits` refuses
/// are left out. Values of operands of more than `few` elements are left alone.
std::vector<Case> simpler_cases(const Case& c, bool (*admits)(const Case& c) = nullptr,
                                std::int64_t few = 2);

/// `c` with another dtype of a tensor or dtype argument and of what shares its storage; elements
/// are converted, and a limit of the one dtype is that of the other.
Case with_dtype(Case c, int position, DType dtype);

}  // namespace upcast
