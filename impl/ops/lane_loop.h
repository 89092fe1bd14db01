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

#include "impl/core/lanes.h"

namespace upcast {

/// From `low` to `high`, both included.
template <class T>
struct LaneRange {
  T low, high;
};

namespace internal {

// The lanes that a capability has, for each element of them. The functions are only declared.
struct LanesOfBaseline {};
#if defined(__x86_64__)
struct LanesOfV3 {
  static FloatLanes of(std::type_identity<float>);
  static DoubleLanes<32> of(std::type_identity<double>);
};
struct LanesOfV4 {
  static FloatLanes of(std::type_identity<float>);
  static DoubleLanes<64> of(std::type_identity<double>);
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

template <class Form, class Lanes>
using LanesFor = decltype(Lanes::of(std::type_identity<typename Form::Lane>()));

template <class O, class T, class Lanes, class... Mode>
concept HasLaneForm = requires(const LanesFor<FormOnLanes<O, T>, Lanes>& x, Mode... mode) {
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

/// Computes n elements, a multiple of a run. Returns whether the results are right. A run fills two
/// objects of lanes. It begins before the one before it ends. The processor can start only what is
/// near in the code, and much of that would be a single run's chain of operations.
template <class Form, class Lanes, class T, class... Mode>
[[gnu::always_inline]] inline bool block_on_lanes(T* results, const T* inputs, std::int64_t n,
                                                  Mode... mode) {
  using OnLanes = LanesFor<Form, Lanes>;
  constexpr std::int64_t kHalf = OnLanes::kLanes, kRun = 2 * kHalf;
  auto check = operand_check<Form, T, OnLanes::kRegisterBytes>();
  const auto see_run = [&](const T* run) __attribute__((always_inline)) {
    for (std::int64_t i = 0; i < kRun; i += check.kLanes) check.see(run + i);
  };
  auto low = Form::begin(OnLanes::read(inputs), mode...);
  auto high = Form::begin(OnLanes::read(inputs + kHalf), mode...);
  see_run(inputs);
  std::int64_t i = 0;
  for (; i < n - kRun; i += kRun) {
    const T* const ahead = inputs + i + kRun;
    see_run(ahead);
    const auto next_low = Form::begin(OnLanes::read(ahead), mode...);
    Form::end(low, mode...).write(results + i);
    low = next_low;
    const auto next_high = Form::begin(OnLanes::read(ahead + kHalf), mode...);
    Form::end(high, mode...).write(results + i + kHalf);
    high = next_high;
  }
  Form::end(low, mode...).write(results + i);
  Form::end(high, mode...).write(results + i + kHalf);
  return check.all();
}

/// `exactly(i)` computes element i, where there are too few elements for a run, and in a block for
/// which the form on lanes is wrong.
template <class Form, class Lanes, class T, class Exactly, class... Mode>
[[gnu::always_inline]] inline void loop_on_lanes(T* results, const T* inputs, std::int64_t n,
                                                 Exactly&& exactly, Mode... mode) {
  constexpr std::int64_t kRun = 2 * LanesFor<Form, Lanes>::kLanes, kBlock = 512;
  std::array<T, kBlock> apart;  // inputs are read twice, and out may be an input
  std::int64_t start = 0;
  while (n - start >= kRun) {
    const std::int64_t count = std::min(kBlock, (n - start) / kRun * kRun);
    T* const found = results == inputs ? apart.data() : results + start;
    if (!block_on_lanes<Form, Lanes>(found, inputs + start, count, mode...))
      for (std::int64_t i = 0; i < count; ++i) found[i] = exactly(start + i);
    if (results == inputs) std::copy_n(found, count, results + start);
    start += count;
  }
  for (; start < n; ++start) results[start] = exactly(start);
}

}  // namespace internal
}  // namespace upcast
