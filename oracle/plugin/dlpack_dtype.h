// Dtypes as DLPack writes them.
#pragma once

#include <optional>

#include "impl/core/dtype.h"
#include "oracle/plugin/plugin.h"

namespace upcast {

/// The DLPack type of any dtype: code UPCAST_TYPE_C10 for those that DLPack cannot name.
DLDataType to_dlpack(DType dtype);

/// The dtype of a DLPack type; nothing for a type that no dtype has.
std::optional<DType> from_dlpack(DLDataType type);

}  // namespace upcast
