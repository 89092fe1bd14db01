// Step 6 is TensorIterator's fast set-up, for operands that all have the same layout.
#pragma once

#include <cstdint>
#include <string_view>

#include "impl/iterator/operand.h"

namespace upcast {

enum class FastSetup : std::uint8_t {
  kNone,          // no fast set-up applies
  kContiguous,    // all operands are row-major
  kChannelsLast,  // all operands are four-dimensional, in channels_last order
  kDense          // all operands are dense, with equal strides
};

constexpr std::string_view name(FastSetup setup) {
  constexpr std::string_view kNames[]{"none", "contiguous", "channels_last", "dense"};
  return kNames[static_cast<int>(setup)];
}

/// The first fast set-up, in the order of the enum, that fits the operands. It is chosen from
/// operands as TensorIterator sees them: an input that is promoted counts as its dense copy.
FastSetup fast_setup(const Iteration& iteration);

/// The strides, in elements, of an operand as TensorIterator sees it.
Dims seen_strides(const IteratorOperand& operand);

}  // namespace upcast
