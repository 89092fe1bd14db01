// Converts dtypes to DLPack's types and back.
#pragma once

#include <optional>

#include "impl/core/dtype.h"
#include "oracle/plugin/plugin.h"

namespace upcast {

/// The DLPack type of any dtype. A dtype that DLPack cannot name has the code UPCAST_TYPE_C10.
DLDataType to_dlpack(DType dtype);

/// The dtype of a DLPack type; nothing for a type that no dtype has.
std::optional<DType> from_dlpack(DLDataType type);

}  // namespace upcast
