// LibTorch's orthogonal polynomials: its recurrences and closed forms in its own precision.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// The twelve functions special_*_polynomial_*(x, n): a recurrence of n steps in the dtype, whose
/// errors grow and whose terms overflow to inf - inf; Chebyshev's between -1 and 1 by cos(n acos x)
/// beyond some degree.
std::optional<Answer> polynomial_in_the_dtype(const Case& c, const Answer& right);

/// The same where the compiler contracts: in the code for AVX2 and AVX-512 a * b - c * d rounds
/// c * d and the difference only.
std::optional<Answer> polynomial_by_fma(const Case& c, const Answer& right);

}  // namespace upcast
