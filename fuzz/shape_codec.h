// Shapes by broadcast role of a master shape, and strides by kind.
//   shape    bits 0-1 leading dimensions left out, 2-5 those of the others that are 1;
//            kZeroDimShape; kExplicitShape, followed by a rank and its sizes, 4 bits each
//   layout   bits 0-3 a kind of strides (kExplicit: a byte each follows), 4 shares (followed by the
//            number of an argument), 5 offset (a byte follows)
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "fuzz/byte_stream.h"
#include "impl/tensor/tensor.h"

namespace upcast::fuzz {

inline constexpr std::size_t kMaxRank = 4;
/// A shape has at most so many elements: a size that would give more becomes 1.
inline constexpr std::int64_t kMaxElements = 512;
/// A tensor spans at most so many elements of its storage.
inline constexpr std::int64_t kMaxSpan = 4096;

/// The sizes by index. The list is frozen: 4 bits have no room for more.
inline constexpr std::array<std::int64_t, 16> kSizes{2, 1, 3,  0,  4,  5,  7,  8,
                                                     6, 9, 16, 17, 31, 33, 64, 100};

enum class StrideKind : std::uint8_t {
  kContiguous,
  kPermuted,       // column-major
  kExpandedFirst,  // the first dimension has stride 0
  kExpandedLast,
  kExpandedAll,
  kStepTwo,         // every second element of a contiguous tensor
  kTransposedLast,  // the last two dimensions change places in memory
  kChannelsLast,    // as kContiguous, except for four dimensions
  kOverlapping,     // every stride is 1
  kStepThreeOuter,  // rows are three row lengths apart
  kExplicit = 15
};
/// Those before kExplicit.
inline constexpr int kStrideKinds = 10;

/// The strides of a kind; empty if they are row-major, as in a Case.
Dims strides_of(StrideKind kind, const Dims& sizes);

void read_sizes(ByteReader& reader, std::size_t rank, Dims& sizes);
bool write_sizes(ByteWriter& writer, const Dims& sizes);

void read_shape(ByteReader& reader, const Dims& master, Dims& sizes);
bool write_shape(ByteWriter& writer, const Dims& master, const Dims& sizes);

/// A layout: strides, offset, and which operand's storage is shared, if any.
struct Layout {
  Dims strides{};
  std::int64_t offset = 0;
  std::optional<std::uint8_t> owner{};
};
void read_layout(ByteReader& reader, const Dims& sizes, Layout& layout);
bool write_layout(ByteWriter& writer, const Dims& sizes, const Layout& layout);

}  // namespace upcast::fuzz
