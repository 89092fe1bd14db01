// Whether two elements have the same value.
#pragma once

#include <cstddef>

#include "impl/core/dtype.h"

namespace upcast {

/// Of one dtype: all NaNs are one value, zeros keep their sign.
bool same_value(DType dtype, const std::byte* a, const std::byte* b);

}  // namespace upcast
