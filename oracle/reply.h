// What one side did with a Case: it answered, or it died.
#pragma once

#include <string>

#include "oracle/answer.h"

namespace upcast {

struct Reply {
  Answer answer{};
  std::string death{};  // "crash(SIGFPE)", "timeout"; "" where it answered
  std::string why{};    // of a death: what the side said last, may be ""

  bool died() const { return !death.empty(); }
  bool timed_out() const { return death == "timeout"; }
  std::string text() const { return died() ? death : to_text(answer); }
};

}  // namespace upcast
