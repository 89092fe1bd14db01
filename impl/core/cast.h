// The shared loops that cast runs of elements from one dtype to another. The CPU engine uses them
// for every tile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "impl/core/capability.h"
#include "impl/core/dtype.h"

namespace upcast {

/// How many elements a loop casts: `rows` rows of `columns` elements. Short rows are cast together,
/// because a call for each row would cost more than its elements.
struct Block {
  std::int64_t columns = 0;
  std::int64_t rows = 1;

  std::int64_t size() const { return columns * rows; }
};

/// The strides of a block in bytes: from an element to the next one of its row, and from a row to
/// the next row.
struct BlockStrides {
  std::int64_t column = 0;
  std::int64_t row = 0;
};

/// Casts the block at `source` into `destination`, element by element. Strides count bytes.
using CastLoop = void (*)(const std::byte* source, BlockStrides source_strides,
                          std::byte* destination, BlockStrides destination_strides, Block block);

/// The loop that casts `from` to `to`; null unless both are elementwise dtypes (kElementwise). A
/// stored bool is true if its byte is not 0. Every capability gives the same bits.
CastLoop cast_loop(DType from, DType to, Capability capability);

/// A loop that copies the first of n contiguous elements over all others.
using FillLoop = void (*)(std::byte* elements, std::int64_t n);

/// The fill loop for elements of `size` bytes: 1, 2, 4, 8 or 16.
FillLoop fill_loop(int size, Capability capability);

/// Casts n contiguous elements. Both dtypes must be elementwise.
void cast_elements(DType from, const std::byte* source, DType to, std::byte* destination,
                   std::int64_t n);

}  // namespace upcast
