// The loop of an op of one float32 operand with a form on lanes of float64 (core/double_lanes.h):
//   template <class Real> static Real on_lanes(const Real& x)   the functor; that of an op with
//                                                               modes also takes the mode
//   static constexpr float lane_limit                           the largest |x| for which on_lanes
//                                                               is right, if it is not for all
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "impl/core/double_lanes.h"

namespace upcast::internal {

template <class O, class Lanes, class... Mode>
concept HasLaneForm = requires(const Lanes& x, Mode... mode) {
  O::on_lanes(x, mode...);
  Lanes::kLanes;
};

template <class O>
concept HasLaneLimit = requires {
  O::lane_limit;
};

/// Computes a block of whole runs. Returns whether all operands are within the op's limit.
template <class O, class Lanes, class... Mode>
[[gnu::always_inline]] inline bool block_on_lanes(float* results, const float* inputs,
                                                  std::int64_t n, Mode... mode) {
  typename Lanes::LargestMagnitude largest;
  for (std::int64_t i = 0; i < n; i += 2 * Lanes::kLanes) {
    const Lanes low = O::on_lanes(Lanes::widen(inputs + i), mode...);
    const Lanes high = O::on_lanes(Lanes::widen(inputs + i + Lanes::kLanes), mode...);
    if constexpr (HasLaneLimit<O>) largest.see(inputs + i);
    low.narrow(results + i);
    high.narrow(results + i + Lanes::kLanes);
  }
  if constexpr (HasLaneLimit<O>)
    return !largest.exceeds(O::lane_limit);
  else
    return true;
}

/// `exactly(i)` computes element i, where there are too few elements for a run, and in a block with
/// an operand beyond the limit.
template <class O, class Lanes, class Exactly, class... Mode>
[[gnu::always_inline]] inline void loop_on_lanes(float* results, const float* inputs,
                                                 std::int64_t n, Exactly&& exactly, Mode... mode) {
  constexpr std::int64_t kRun = 2 * Lanes::kLanes, kBlock = 32 * kRun;
  static_assert(kRun == Lanes::LargestMagnitude::kLanes);
  std::array<float, kBlock> apart;  // inputs are read twice, and out may be an input
  std::int64_t start = 0;
  while (n - start >= kRun) {
    const std::int64_t count = std::min(kBlock, (n - start) / kRun * kRun);
    float* const found = results == inputs ? apart.data() : results + start;
    if (!block_on_lanes<O, Lanes>(found, inputs + start, count, mode...))
      for (std::int64_t i = 0; i < count; ++i) found[i] = exactly(start + i);
    if (results == inputs) std::copy_n(found, count, results + start);
    start += count;
  }
  for (; start < n; ++start) results[start] = exactly(start);
}

}  // namespace upcast::internal
