// The loop of an op of one float32 operand with a form on lanes. That is one of
//   template <class Real> static Real on_lanes(const Real& x)   the functor, for lanes of float64
//                                                               (core/double_lanes.h); that of an
//                                                               op with modes also takes the mode
//   static constexpr LaneRange lane_range                       the x for which on_lanes is right,
//                                                               if it is not for all
//   template <class Real> static Real on_float_lanes(const Real& x)   the functor of a positive
//                                                               normal x (core/float_lanes.h)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "impl/core/double_lanes.h"
#include "impl/core/float_lanes.h"

namespace upcast {

/// From `low` to `high`, both included.
struct LaneRange {
  float low, high;
};

namespace internal {

// The lanes that a capability has.
struct LanesOfBaseline {};
#if defined(__x86_64__)
struct LanesOfV3 {
  using Float = FloatLanes;
};
struct LanesOfV4 {
  using Float = FloatLanes;
  using Double = DoubleLanes;
};
#else
using LanesOfV3 = LanesOfBaseline;
using LanesOfV4 = LanesOfBaseline;
#endif

template <class O, class Lanes, class... Mode>
concept HasDoubleLaneForm = requires(const typename Lanes::Double& x, Mode... mode) {
  O::on_lanes(x, mode...);
};

template <class O, class Lanes>
concept HasFloatLaneForm = requires(const typename Lanes::Float& x) {
  O::on_float_lanes(x);
};

template <class O, class Lanes, class... Mode>
concept HasLaneForm = HasDoubleLaneForm<O, Lanes, Mode...> || HasFloatLaneForm<O, Lanes>;

template <class O>
concept HasLaneRange = requires {
  O::lane_range;
};

inline constexpr std::int64_t kLaneRun = 16;

/// The range of an op that has none is not used.
template <class O>
constexpr LaneRange lane_range() {
  if constexpr (HasLaneRange<O>)
    return O::lane_range;
  else
    return {};
}

/// Computes a block of whole runs. Returns whether all operands are within the op's range.
template <class O, class Lanes, class... Mode>
[[gnu::always_inline]] inline bool block_on_double_lanes(float* results, const float* inputs,
                                                         std::int64_t n, Mode... mode) {
  static_assert(2 * Lanes::kLanes == kLaneRun && Lanes::Range::kLanes == kLaneRun);
  typename Lanes::Range range(lane_range<O>().low, lane_range<O>().high);
  for (std::int64_t i = 0; i < n; i += kLaneRun) {
    const Lanes low = O::on_lanes(Lanes::widen(inputs + i), mode...);
    const Lanes high = O::on_lanes(Lanes::widen(inputs + i + Lanes::kLanes), mode...);
    if constexpr (HasLaneRange<O>) range.see(inputs + i);
    low.narrow(results + i);
    high.narrow(results + i + Lanes::kLanes);
  }
  return range.all();
}

/// Computes a block of whole runs. Returns whether all operands are positive normal numbers.
template <class O, class Lanes>
[[gnu::always_inline]] inline bool block_on_float_lanes(float* results, const float* inputs,
                                                        std::int64_t n) {
  static_assert(kLaneRun % Lanes::kLanes == 0);
  typename Lanes::PositiveNormals seen;
  for (std::int64_t i = 0; i < n; i += Lanes::kLanes) {
    seen.see(inputs + i);
    O::on_float_lanes(Lanes::load(inputs + i)).store(results + i);
  }
  return seen.all();
}

template <class O, class Lanes, class... Mode>
[[gnu::always_inline]] inline bool block_on_lanes(float* results, const float* inputs,
                                                  std::int64_t n, Mode... mode) {
  if constexpr (HasFloatLaneForm<O, Lanes>)
    return block_on_float_lanes<O, typename Lanes::Float>(results, inputs, n);
  else
    return block_on_double_lanes<O, typename Lanes::Double>(results, inputs, n, mode...);
}

/// `exactly(i)` computes element i, where there are too few elements for a run, and in a block for
/// which the form on lanes is wrong.
template <class O, class Lanes, class Exactly, class... Mode>
[[gnu::always_inline]] inline void loop_on_lanes(float* results, const float* inputs,
                                                 std::int64_t n, Exactly&& exactly, Mode... mode) {
  constexpr std::int64_t kBlock = 32 * kLaneRun;
  std::array<float, kBlock> apart;  // inputs are read twice, and out may be an input
  std::int64_t start = 0;
  while (n - start >= kLaneRun) {
    const std::int64_t count = std::min(kBlock, (n - start) / kLaneRun * kLaneRun);
    float* const found = results == inputs ? apart.data() : results + start;
    if (!block_on_lanes<O, Lanes>(found, inputs + start, count, mode...))
      for (std::int64_t i = 0; i < count; ++i) found[i] = exactly(start + i);
    if (results == inputs) std::copy_n(found, count, results + start);
    start += count;
  }
  for (; start < n; ++start) results[start] = exactly(start);
}

}  // namespace internal
}  // namespace upcast
