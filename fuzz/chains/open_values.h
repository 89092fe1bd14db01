// Whether every right implementation passes the same values to the next call.
#pragma once

#include <string>

#include "oracle/protocol/hello.h"
#include "oracle/side.h"
#include "oracle/subject.h"

namespace upcast::fuzz {

/// Why a side whose calls are right may pass on other values than this result of a case, "" where
/// it may not: its op is exact, the result is the truth, and what a fused chain keeps of it is no
/// more than its dtype holds.
std::string why_open(const Case& c, const Answer& result, Implementation side,
                     protocol::Chains chains);

}  // namespace upcast::fuzz
