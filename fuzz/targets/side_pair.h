// Holds the two sides of a fuzz target whose inputs are cases. Several targets share it.
#pragma once

#include <memory>
#include <string>

#include "fuzz/in_process.h"
#include "oracle/libtorch/guard.h"

namespace upcast::fuzz {

/// A target's log, guard and two sides. They are made with a target's first input, because
/// libFuzzer sets its signal handlers before it runs that. UPCAST_FUZZ_SUBJECT and
/// UPCAST_FUZZ_ORACLE name other sides than the target's own (fuzz/target_sides.h).
/// UPCAST_FUZZ_NO_GUARD leaves the guard out. UPCAST_FUZZ_CONTROL names a control (in_process.h).
struct SidePair {
  explicit SidePair(const char* target);

  FindingLog log;
  std::unique_ptr<libtorch::Guard> guard;
  std::string subject, oracle;
  InProcess sides;
};

}  // namespace upcast::fuzz
