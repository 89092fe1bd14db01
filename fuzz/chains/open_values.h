// Whether every right implementation passes the same values to the next call.
#pragma once

#include <string>

#include "oracle/protocol/hello.h"
#include "oracle/side.h"
#include "oracle/subject.h"

namespace upcast::fuzz {

/// Why a right side may pass on other values than this result of a case; "" if it may not. It may
/// not if the op is exact, the result is the truth, and a fused chain keeps no more digits of it
/// than its dtype holds.
std::string why_open(const Case& c, const Answer& result, Implementation side,
                     protocol::Chains chains);

}  // namespace upcast::fuzz
