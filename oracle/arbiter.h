// A third party that knows the right answer and says who of two that differ is right.
#pragma once

#include <cstddef>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// Rules on two answers whose values differ. It costs more than both of them.
using Arbiter = Ruling (*)(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

/// The elements of an answer, ascending, that it cannot rule on.
using Gaps = std::vector<std::size_t> (*)(const Case& c, const Answer& answer);

}  // namespace upcast
