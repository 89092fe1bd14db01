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

/// The fast set-up that fits operands of one shape; of several the first in the order above. It
/// sees operands as TensorIterator does: an input that is promoted counts as its dense copy.
FastSetup fast_setup(const Iteration& iteration);

/// Strides (elements) of an operand as TensorIterator sees it.
Dims seen_strides(const IteratorOperand& operand);

}  // namespace upcast
