// A record of what happened in a call. It is made only if Call::trace is set.
#pragma once

#include <list>
#include <optional>
#include <string>

#include "impl/iterator/step_trace.h"
#include "impl/ops/call.h"

namespace upcast {

struct CallTrace {
  std::string callable{};
  PromotionTrace promotion{};
  std::optional<Promoted> promoted{};  // dtypes, once they are known; empty for a composition
  StepTrace steps{};
  std::list<CallTrace> parts{};  // the calls that a composition makes
};

/// Where a call's steps are noted; null if the call has no trace.
inline StepTrace* steps_of(const Call& call) {
  return call.trace == nullptr ? nullptr : &call.trace->steps;
}

}  // namespace upcast
