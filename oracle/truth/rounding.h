// An exact value, rounded once to a dtype.
#pragma once

#include <arf.h>

#include "impl/core/dtype.h"

namespace upcast::truth {

/// Rounds an exact value to a dtype. A bool is not rounded. A finite float64 that is exact, or was
/// rounded to odd from more digits, becomes the nearest value of a floating `dtype`, ties to even,
/// subnormals as IEEE 754-2019, 3.3 and 7.5. Out of range it becomes what the dtype's cast makes of
/// it (an infinity, or NaN in a dtype without one). NaN and infinities pass through that cast too.
/// Source: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008: rounding to
/// odd with two digits more makes the second rounding harmless.
double round_once(DType dtype, double value);

/// As above, for a number of any length. `exact` is finite.
double round_once(DType dtype, const arf_t exact);

}  // namespace upcast::truth
