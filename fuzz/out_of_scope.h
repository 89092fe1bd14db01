// Cases about which the two sides cannot be compared, with the reason.
#pragma once

#include <string_view>

#include "cases/case.h"

namespace upcast::fuzz {

/// Why a case is asked of neither side, "" where it is asked of both: a loss that is reduced to one
/// number is not elementwise; LibTorch does not survive the case, and no guard helps (copy of an
/// undefined tensor); a side would loop as often as an argument says, which may take years for too
/// long.
std::string_view why_not_asked(const Case& c);

/// Whether the call writes the operand at a position.
bool is_written(const Case& c, int position);

}  // namespace upcast::fuzz
