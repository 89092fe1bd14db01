// LibTorch's logarithm of the normal distribution: its formula, evaluated as it writes it.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// log_ndtr: x / sqrt(2) is rounded to the dtype, and the tails magnify that x^2 times.
std::optional<Answer> log_ndtr_of_a_rounded_argument(const Case& c, const Answer& right);

}  // namespace upcast
