// The loop of an op of one operand with a form on lanes (core/lanes.h). An op has a struct
// FloatsOnLanes for float32, or DoublesOnLanes for float64:
//   using Lane = double                             or float
//   template <class Real> static auto begin(const Real& x, ...)   the first part of the functor, or
//                                                   x itself. An op with modes also takes the mode.
//   template <class Real> static Real end(const ... begun, ...)   the functor's result
//   static constexpr LaneRange<float> range         the x for which the result is right, if it is
//                                                   not right for all (or LaneRange<double>)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "impl/core/cache.h"
#include "impl/core/lane_pair.h"
#include "impl/core/lanes.h"

namespace upcast {

/// From `low` to `high`, both included.
template <class T>
struct LaneRange {
  T low, high;
};

namespace internal {

// The lanes of a step, for each capability, and for the types of an operand and of a lane: one
// object or a pair, whichever was faster when it was measured. A pair needs twice the registers.
// The functions are only declared.
struct LanesOfBaseline {};
#if defined(__x86_64__)
struct LanesOfV3 {
  static LanePair<FloatLanes> of(std::type_identity<float>, std::type_identity<float>);
  static DoubleLanes<32> of(std::type_identity<float>, std::type_identity<double>);
  static LanePair<DoubleLanes<32>> of(std::type_identity<double>, std::type_identity<double>);
};
struct LanesOfV4 {
  static LanePair<FloatLanes> of(std::type_identity<float>, std::type_identity<float>);
  template <class T>
  static LanePair<DoubleLanes<64>> of(std::type_identity<T>, std::type_identity<double>);
};
#else
using LanesOfV3 = LanesOfBaseline;
using LanesOfV4 = LanesOfBaseline;
#endif

/// An op's form on lanes for operands of type T, if it has one.
template <class O>
typename O::FloatsOnLanes form_on_lanes(std::type_identity<float>);
template <class O>
typename O::DoublesOnLanes form_on_lanes(std::type_identity<double>);
template <class O, class T>
using FormOnLanes = decltype(form_on_lanes<O>(std::type_identity<T>()));

template <class Form, class T, class Lanes>
using LanesFor =
    decltype(Lanes::of(std::type_identity<T>(), std::type_identity<typename Form::Lane>()));

template <class O, class T, class Lanes, class... Mode>
concept HasLaneForm = requires(const LanesFor<FormOnLanes<O, T>, T, Lanes>& x, Mode... mode) {
  FormOnLanes<O, T>::end(FormOnLanes<O, T>::begin(x, mode...), mode...);
};

/// For a form that is right for all operands.
struct NoOperandCheck {
  static constexpr int kLanes = 1;
  template <class T>
  void see(const T*) {}
  bool all() const { return true; }
};

/// Tells whether a form is right for all operands that it has seen.
template <class Form, class T, int kBytes>
[[gnu::always_inline]] inline auto operand_check() {
  if constexpr (!requires { Form::range; })
    return NoOperandCheck();
  else if constexpr (Form::range.low == -Form::range.high)
    return MagnitudeCheck<T, kBytes>(Form::range.high);
  else
    return RangeCheck<kBytes>(Form::range.low, Form::range.high);
}

/// Lanes that can be stored past the caches. Only lanes whose loops wait for the memory can be.
template <class OnLanes, class T>
concept CanStream = requires(const OnLanes& lanes, T* results) {
  lanes.stream(results);
};

/// Computes n elements, a multiple of a run, which is two steps. Returns whether the results are
/// right. A step begins before the one before it ends, and is written when the one after it has
/// ended. The processor can start only what is near in the code, and much of that would be a single
/// step's chain of operations.
template <class Form, class OnLanes, bool kStreams, class T, class... Mode>
[[gnu::always_inline]] inline bool block_on_lanes(T* results, const T* inputs, std::int64_t n,
                                                  Mode... mode) {
  constexpr std::int64_t kStep = OnLanes::kLanes, kRun = 2 * kStep;
  auto check = operand_check<Form, T, OnLanes::kRegisterBytes>();
  const auto see = [&](std::int64_t first, std::int64_t count) __attribute__((always_inline)) {
    for (std::int64_t i = 0; i < count; i += check.kLanes) check.see(inputs + first + i);
  };
  const auto write = [](const OnLanes& lanes, T* to) __attribute__((always_inline)) {
    if constexpr (kStreams)
      lanes.stream(to);
    else
      lanes.write(to);
  };
  see(0, kRun);
  auto found = Form::end(Form::begin(OnLanes::read(inputs), mode...), mode...);
  auto begun = Form::begin(OnLanes::read(inputs + kStep), mode...);
  const auto step = [&](std::int64_t i) __attribute__((always_inline)) {
    const auto next = Form::begin(OnLanes::read(inputs + i), mode...);
    const auto next_found = Form::end(begun, mode...);
    write(found, results + i - kRun);
    found = next_found;
    begun = next;
  };
  // A check may see as many operands at once as two steps compute.
  constexpr std::int64_t kSteps = check.kLanes > kStep ? 2 : 1;
  for (std::int64_t i = kRun; i < n; i += kSteps * kStep) {
    see(i, kSteps * kStep);
    for (std::int64_t j = 0; j < kSteps; ++j) step(i + j * kStep);
  }
  write(found, results + n - kRun);
  write(Form::end(begun, mode...), results + n - kStep);
  return check.all();
}

/// Whether n results are streamed: they are large, and take no memory of the inputs, whose cache
/// lines are read anyway.
template <class OnLanes, class T>
[[gnu::always_inline]] inline bool are_streamed(const T* results, const T* inputs, std::int64_t n) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  return CanStream<OnLanes, T> && n * kSize >= kLeastStreamed && results != inputs &&
         bytes_into_cache_line(results) % kSize == 0;
}

/// `exactly(i)` computes element i, where there are too few elements for a run, and in a block for
/// which the form on lanes is wrong.
template <class Form, class Lanes, class T, class Exactly, class... Mode>
[[gnu::always_inline]] inline void loop_on_lanes(T* results, const T* inputs, std::int64_t n,
                                                 Exactly&& exactly, Mode... mode) {
  using OnLanes = LanesFor<Form, T, Lanes>;
  constexpr std::int64_t kRun = 2 * OnLanes::kLanes, kBlock = 2048;
  std::array<T, kBlock> apart;  // inputs are read twice, and out may be an input
  const bool streams = are_streamed<OnLanes>(results, inputs, n);
  const auto block = [=](T * found, const T* from, std::int64_t count)
      __attribute__((always_inline)) {
    if constexpr (CanStream<OnLanes, T>)
      if (streams) return block_on_lanes<Form, OnLanes, true>(found, from, count, mode...);
    return block_on_lanes<Form, OnLanes, false>(found, from, count, mode...);
  };
  std::int64_t start = 0;
  if (streams)  // from a cache line on
    for (const auto ahead = elements_to_cache_line(results, sizeof(T)); start < ahead; ++start)
      results[start] = exactly(start);
  while (n - start >= kRun) {
    const std::int64_t count = std::min(kBlock, (n - start) / kRun * kRun);
    T* const found = results == inputs ? apart.data() : results + start;
    if (!block(found, inputs + start, count))
      for (std::int64_t i = 0; i < count; ++i) found[i] = exactly(start + i);
    if (results == inputs) std::copy_n(found, count, results + start);
    start += count;
  }
  for (; start < n; ++start) results[start] = exactly(start);
  if constexpr (CanStream<OnLanes, T>)
    if (streams) OnLanes::end_streams();
}

}  // namespace internal
}  // namespace upcast
