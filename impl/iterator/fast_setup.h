// Step 6: TensorIterator's fast set-up, for operands that all have the same layout.
#pragma once

#include <cstdint>
#include <string_view>

#include "impl/iterator/operand.h"

namespace upcast {

enum class FastSetup : std::uint8_t {
  kNone,          // the general way
  kContiguous,    // all row-major
  kChannelsLast,  // all four-dimensional channels_last
  kDense          // all dense with equal strides
};

constexpr std::string_view name(FastSetup setup) {
  constexpr std::string_view kNames[]{"none", "contiguous", "channels_last", "dense"};
  return kNames[static_cast<int>(setup)];
}

/// The way that fits operands of one shape; the first in the order above wins. Operands are seen
/// as TensorIterator sees them: an input that is promoted as its dense copy.
FastSetup fast_setup(const Iteration& iteration);

/// Strides (elements) of an operand as TensorIterator sees it.
Dims seen_strides(const IteratorOperand& operand);

}  // namespace upcast
