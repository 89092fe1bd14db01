// The loop of an op of one float32 operand with a form on lanes:
//   using LaneElement = double                                  or float (core/lanes_v3.h)
//   template <class Real> static Real on_lanes(const Real& x)   the functor; that of an op with
//                                                               modes also takes the mode
//   template <class Real> static auto begin_on_lanes(const Real& x, ...)   if the functor is in two
//                                                               parts, the first; on_lanes then
//                                                               takes its result instead of x
//   static constexpr LaneRange lane_range                       the x for which on_lanes is right,
//                                                               if it is not right for all
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "impl/core/lanes_v3.h"
#include "impl/core/lanes_v4.h"

namespace upcast {

/// From `low` to `high`, both included.
struct LaneRange {
  float low, high;
};

namespace internal {

// The lanes that a capability has, for each element of them. The functions are only declared.
struct LanesOfBaseline {};
#if defined(__x86_64__)
struct LanesOfV3 {
  static v3::FloatLanes of(std::type_identity<float>);
  static v3::DoubleLanes of(std::type_identity<double>);
};
struct LanesOfV4 {
  static v3::FloatLanes of(std::type_identity<float>);
  static v4::DoubleLanes of(std::type_identity<double>);
};
#else
using LanesOfV3 = LanesOfBaseline;
using LanesOfV4 = LanesOfBaseline;
#endif

template <class O, class Lanes>
using LanesFor = decltype(Lanes::of(std::type_identity<typename O::LaneElement>()));

/// The first part of an op's form on lanes, or x itself.
template <class O, class Lanes, class... Mode>
[[gnu::always_inline]] inline auto begin_on_lanes(const Lanes& x, Mode... mode) {
  if constexpr (requires { O::begin_on_lanes(x, mode...); })
    return O::begin_on_lanes(x, mode...);
  else
    return x;
}

template <class O, class Lanes, class... Mode>
concept HasLaneForm = requires(const LanesFor<O, Lanes>& x, Mode... mode) {
  O::on_lanes(begin_on_lanes<O>(x, mode...), mode...);
};

/// For an op whose form on lanes is right for all operands.
struct NoOperandCheck {
  void see(const float*) {}
  bool all() const { return true; }
};

/// Tells whether an op's form on lanes is right for all operands that it has seen.
template <class O, class Lanes>
[[gnu::always_inline]] inline auto operand_check() {
  if constexpr (!requires { O::lane_range; })
    return NoOperandCheck();
  else if constexpr (O::lane_range.low == -O::lane_range.high)
    return typename Lanes::UpToMagnitude(O::lane_range.high);
  else
    return typename Lanes::Range(O::lane_range.low, O::lane_range.high);
}

/// Computes n elements, a multiple of a run. Returns whether the results are right. A run fills two
/// objects of lanes. It begins before the one before it ends. The processor can start only what is
/// near in the code, and much of that would be a single run's chain of operations.
template <class O, class Lanes, class... Mode>
[[gnu::always_inline]] inline bool block_on_lanes(float* results, const float* inputs,
                                                  std::int64_t n, Mode... mode) {
  constexpr std::int64_t kHalf = Lanes::kLanes, kRun = 2 * kHalf;
  auto check = operand_check<O, Lanes>();
  auto low = begin_on_lanes<O>(Lanes::read(inputs), mode...);
  auto high = begin_on_lanes<O>(Lanes::read(inputs + kHalf), mode...);
  check.see(inputs);
  std::int64_t i = 0;
  for (; i < n - kRun; i += kRun) {
    const float* const ahead = inputs + i + kRun;
    check.see(ahead);
    const auto next_low = begin_on_lanes<O>(Lanes::read(ahead), mode...);
    O::on_lanes(low, mode...).write(results + i);
    low = next_low;
    const auto next_high = begin_on_lanes<O>(Lanes::read(ahead + kHalf), mode...);
    O::on_lanes(high, mode...).write(results + i + kHalf);
    high = next_high;
  }
  O::on_lanes(low, mode...).write(results + i);
  O::on_lanes(high, mode...).write(results + i + kHalf);
  return check.all();
}

/// `exactly(i)` computes element i, where there are too few elements for a run, and in a block for
/// which the form on lanes is wrong.
template <class O, class Lanes, class Exactly, class... Mode>
[[gnu::always_inline]] inline void loop_on_lanes(float* results, const float* inputs,
                                                 std::int64_t n, Exactly&& exactly, Mode... mode) {
  using OnLanes = LanesFor<O, Lanes>;
  constexpr std::int64_t kRun = 2 * OnLanes::kLanes, kBlock = 512;
  std::array<float, kBlock> apart;  // inputs are read twice, and out may be an input
  std::int64_t start = 0;
  while (n - start >= kRun) {
    const std::int64_t count = std::min(kBlock, (n - start) / kRun * kRun);
    float* const found = results == inputs ? apart.data() : results + start;
    if (!block_on_lanes<O, OnLanes>(found, inputs + start, count, mode...))
      for (std::int64_t i = 0; i < count; ++i) found[i] = exactly(start + i);
    if (results == inputs) std::copy_n(found, count, results + start);
    start += count;
  }
  for (; start < n; ++start) results[start] = exactly(start);
}

}  // namespace internal
}  // namespace upcast
