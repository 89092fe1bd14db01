// What a third party that knows the right answer says of two that differ.
#pragma once

#include <string>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/judge.h"

namespace upcast {

/// Which of two answers is right.
struct Ruling {
  std::string text{};
  bool subject_is_off = false;
  bool both_are_right = false;  // each within its own bound, in every element that differs
};

/// Rules on two answers whose values differ. It costs more than both of them: asked about cases
/// that differ only.
using Arbiter = Ruling (*)(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

}  // namespace upcast
