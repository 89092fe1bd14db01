// Tells whether every right implementation passes the same values to the next call of a chain.
#pragma once

#include <string>

#include "oracle/protocol/hello.h"
#include "oracle/side.h"
#include "oracle/subject.h"

namespace upcast::fuzz {

/// Why a right side may pass on other values than `result`, the answer to a case. "" if it may not:
/// the op is exact, the result is the truth, and a fused chain keeps no more digits of it than its
/// dtype holds.
std::string why_open(const Case& c, const Answer& result, Implementation side,
                     protocol::Chains chains);

}  // namespace upcast::fuzz
