// A third party that knows the right answer and says who of two that differ is right.
#pragma once

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// Rules on two answers whose values differ. It costs more than both of them.
using Arbiter = Ruling (*)(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

}  // namespace upcast
