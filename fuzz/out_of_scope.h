// Tells which cases are out of scope, with the reason: the two sides cannot be compared on them.
#pragma once

#include <string_view>

#include "cases/case.h"

namespace upcast::fuzz {

/// Why a case is out of scope, so that neither side is asked about it; "" if it is not. A loss that
/// is reduced to one number is not elementwise. Some cases end LibTorch's process, and no guard
/// helps (copy of an undefined tensor). In some, a side would loop as often as an argument says,
/// which may take years.
std::string_view why_not_asked(const Case& c);

/// Whether a call writes the operand at a position.
bool is_written(const Case& c, int position);

}  // namespace upcast::fuzz
