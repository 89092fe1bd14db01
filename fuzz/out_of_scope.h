// Cases about which the two sides cannot be compared, with the reason.
#pragma once

#include <string_view>

#include "cases/case.h"

namespace upcast::fuzz {

/// Why neither side is asked about a case; "" if both are. Reasons: a loss that is reduced to one
/// number is not elementwise; LibTorch does not survive the case, and no guard helps (copy of an
/// undefined tensor); a side would loop as often as an argument says, which may take years.
std::string_view why_not_asked(const Case& c);

/// Whether the call writes the operand at a position.
bool is_written(const Case& c, int position);

}  // namespace upcast::fuzz
