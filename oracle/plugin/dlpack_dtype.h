// Dtypes as DLPack writes them.
#pragma once

#include <optional>

#include "impl/core/dtype.h"
#include "oracle/plugin/plugin.h"

namespace upcast {

/// Every dtype has one; those that DLPack cannot name have UPCAST_TYPE_C10.
DLDataType to_dlpack(DType dtype);

/// Nothing for a type that is none of ours.
std::optional<DType> from_dlpack(DLDataType type);

}  // namespace upcast
