// Shapes as roles in broadcasting to a master shape, and strides by kind, as fuzz bytes.
//   shape    A byte. Bits 0-1: how many leading dimensions are left out. Bits 2-5: which of the
//            others have size 1. Or kZeroDimShape. Or kExplicitShape, followed by a rank and the
//            sizes, 4 bits each.
//   layout   A byte. Bits 0-3: the kind of strides (kExplicit: one byte each follows). Bit 4: the
//            tensor shares storage (the number of an argument follows). Bit 5: it has an offset (a
//            byte follows).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "fuzz/byte_stream.h"
#include "impl/tensor/tensor.h"

namespace upcast::fuzz {

inline constexpr std::size_t kMaxRank = 4;
/// The most elements of a shape. A size that would make more elements becomes 1.
inline constexpr std::int64_t kMaxElements = 512;
/// The most elements of its storage that a tensor spans.
inline constexpr std::int64_t kMaxSpan = 4096;

/// The sizes by their index in fuzz bytes. The list is frozen: an index has 4 bits, and all 16 are
/// used.
inline constexpr std::array<std::int64_t, 16> kSizes{2, 1, 3,  0,  4,  5,  7,  8,
                                                     6, 9, 16, 17, 31, 33, 64, 100};

enum class StrideKind : std::uint8_t {
  kContiguous,
  kPermuted,       // column-major
  kExpandedFirst,  // the first dimension has stride 0
  kExpandedLast,
  kExpandedAll,
  kStepTwo,         // every second element of a contiguous storage
  kTransposedLast,  // contiguous, then the last two dimensions are swapped
  kChannelsLast,    // channels last for four dimensions, else contiguous
  kOverlapping,     // every stride is 1
  kStepThreeOuter,  // contiguous rows, with room for two more after each
  kExplicit = 15
};
/// How many kinds of strides there are without kExplicit.
inline constexpr int kStrideKinds = 10;

/// The strides of a kind for a tensor of the given sizes. Empty if they are row-major, as in a
/// Case.
Dims strides_of(StrideKind kind, const Dims& sizes);

void read_sizes(ByteReader& reader, std::size_t rank, Dims& sizes);
bool write_sizes(ByteWriter& writer, const Dims& sizes);

void read_shape(ByteReader& reader, const Dims& master, Dims& sizes);
bool write_shape(ByteWriter& writer, const Dims& master, const Dims& sizes);

/// A tensor's layout: strides, offset, and the operand whose storage it shares, if any.
struct Layout {
  Dims strides{};
  std::int64_t offset = 0;
  std::optional<std::uint8_t> owner{};
};
void read_layout(ByteReader& reader, const Dims& sizes, Layout& layout);
bool write_layout(ByteWriter& writer, const Dims& sizes, const Layout& layout);

}  // namespace upcast::fuzz
