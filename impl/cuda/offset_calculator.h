// Computes where the elements of strided operands lie.
#pragma once

#include <array>
#include <cstdint>

#include "impl/cuda/fast_division.h"
#include "impl/iterator/operand.h"
#include "impl/iterator/split_32bit.h"

namespace upcast {

inline constexpr int kMaxLaunchOperands = kMaxOutputs + kMaxInputs;

/// Computes the byte offsets of one element in all operands of a launch. Offsets are below 2^31.
struct OffsetCalculator {
  using Offsets = std::array<std::uint32_t, kMaxLaunchOperands>;

  int dims = 0;  // number of dimensions, the fastest first
  std::array<FastDivision, kMaxDeviceDims> sizes{};
  std::array<Offsets, kMaxDeviceDims> strides{};  // strides in bytes, by dimension, then by operand

  UPCAST_HOST_DEVICE Offsets offsets(std::uint32_t element, int operands) const {
    Offsets found{};
    for (int d = 0; d < dims; ++d) {
      const FastDivision::Result at = sizes[d].divide(element);
      element = at.quotient;
      for (int i = 0; i < operands; ++i) found[i] += at.remainder * strides[d][i];
    }
    return found;
  }
};

}  // namespace upcast
