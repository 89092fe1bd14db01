// Casting runs of elements between dtypes: the shared loops that every tile goes through.
#pragma once

#include <cstddef>
#include <cstdint>

#include "impl/core/capability.h"
#include "impl/core/dtype.h"

namespace upcast {

/// Reads n elements of one dtype, writes them as another. Strides in bytes.
using CastLoop = void (*)(const std::byte* source, std::int64_t source_stride,
                          std::byte* destination, std::int64_t destination_stride, std::int64_t n);

/// The loop of a pair of elementwise dtypes (kElementwise); null for any other dtype. In a loop
/// from bool, any nonzero byte is true. Every capability gives the same bits.
CastLoop cast_loop(DType from, DType to, Capability capability);

/// Casts n contiguous elements.
void cast_elements(DType from, const std::byte* source, DType to, std::byte* destination,
                   std::int64_t n);

}  // namespace upcast
