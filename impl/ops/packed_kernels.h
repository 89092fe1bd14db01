// Kernels for operands that are all float16 or all bfloat16. They widen elements to float32,
// compute, and round, without a detour through memory. Ops have them whose functor takes less time
// than such a detour.
//
// An op may have a faster form for them, `OnPacked<Packed>` with these members:
//   static float value(float...)   its results are numbers, and round to the functor's 16 bits
//   static constexpr std::array<std::uint16_t, N> limits   for which operands: those whose codes,
//                                                          without their signs, are at most these
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "impl/core/capability.h"
#include "impl/core/element.h"
#include "impl/core/packed_runs.h"
#include "impl/ops/catalogue.h"
#include "impl/ops/functor_call.h"

namespace upcast::internal {

template <class O, class Packed>
concept HasPackedForm = requires {
  O::template OnPacked<Packed>::limits;
};

/// The largest code of n elements, without its sign.
template <class Packed>
[[gnu::always_inline]] inline std::uint16_t largest_code(const Packed* packed, std::int64_t n) {
  std::uint16_t largest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto code = static_cast<std::uint16_t>(packed[i].bits & 0x7fff);
    largest = std::max(largest, code);
  }
  return largest;
}

/// Whether n elements of each operand are within the limits of the op's faster form.
template <class O, class Packed, std::size_t... I>
[[gnu::always_inline]] inline bool are_within_limits(
    const std::array<const Packed*, sizeof...(I)>& inputs, std::int64_t start, std::int64_t n,
    std::index_sequence<I...>) {
  constexpr auto& kLimits = O::template OnPacked<Packed>::limits;
  return ((largest_code(inputs[I] + start, n) <= kLimits[I]) && ...);
}

/// A loop over packed elements. It widens a run of them to float32, computes, and stores the
/// rounded results. Bit i of `wide`: operand i is one float32 for all results.
template <class O, class Run, std::size_t... I>
[[gnu::always_inline]] inline void packed_loop(std::byte* const* out, const std::byte* const* in,
                                               unsigned wide, std::int64_t n,
                                               const KernelParams& stored, Fault& fault) {
  using Packed = typename Run::Element;
  using R = ResultOf<O, float, I...>;
  using Stored = std::conditional_t<std::is_same_v<R, float>, Packed, R>;
  static_assert(Run::in_order || std::is_same_v<R, float>);
  const O op{};
  const auto params = params_of<O, float>(stored);
  std::array<std::array<float, kRunElements>, sizeof...(I)> values;
  std::array<R, kRunElements> results;
  const std::array<const Packed*, sizeof...(I)> inputs{reinterpret_cast<const Packed*>(in[I])...};
  const auto is_wide = [wide](std::size_t operand) { return (wide >> operand & 1) != 0; };
  ((is_wide(I) ? values[I].fill(*reinterpret_cast<const float*>(in[I])) : void()), ...);
  Stored* const stored_results = reinterpret_cast<Stored*>(out[0]);
  const std::int64_t end_of_runs = n - n % kRunElements;
  std::int64_t start = 0;

  const auto run_functor = [&](std::int64_t end) __attribute__((always_inline)) {
    for (; start < end; start += kRunElements) {
      ((is_wide(I) ? void() : Run::widen(inputs[I] + start, values[I].data())), ...);
      for (std::int64_t i = 0; i < kRunElements; ++i)
        results[i] = apply<O, float>(op, params, fault, values[I][i]...);
      if constexpr (std::is_same_v<R, float>)
        Run::narrow(results.data(), stored_results + start);
      else
        std::copy(results.begin(), results.end(), stored_results + start);
    }
  };
  if constexpr (HasPackedForm<O, Packed>) {
    // The largest code of a block is the largest lane of a vector. To find that lane takes several
    // steps, each of which waits for the last one. So blocks are long.
    constexpr std::int64_t kBlock = 32 * kRunElements;
    while (wide == 0 && start < end_of_runs) {
      const std::int64_t end = std::min(start + kBlock, end_of_runs);
      if (!are_within_limits<O>(inputs, start, end - start, std::index_sequence<I...>())) {
        run_functor(end);
        continue;
      }
      for (; start < end; start += kRunElements) {
        (Run::widen(inputs[I] + start, values[I].data()), ...);
        for (std::int64_t i = 0; i < kRunElements; ++i)
          results[i] = O::template OnPacked<Packed>::value(values[I][i]...);
        Run::narrow_numbers(results.data(), stored_results + start);
      }
    }
  }
  run_functor(end_of_runs);
  for (; start < n; ++start)
    stored_results[start] = convert<Stored>(apply<O, float>(
        op, params, fault, is_wide(I) ? values[I][0] : convert<float>(inputs[I][start])...));
}

template <class O, class Run, std::size_t... I>
UPCAST_TARGET_V3 void run_packed_v3(std::byte* const* out, const std::byte* const* in,
                                    unsigned wide, std::int64_t n, const KernelParams& params,
                                    Fault& fault) {
  packed_loop<O, Run, I...>(out, in, wide, n, params, fault);
}
template <class O, class Run, std::size_t... I>
UPCAST_TARGET_V4 void run_packed_v4(std::byte* const* out, const std::byte* const* in,
                                    unsigned wide, std::int64_t n, const KernelParams& params,
                                    Fault& fault) {
  packed_loop<O, Run, I...>(out, in, wide, n, params, fault);
}

/// Whether the casts around a functor cost more than the functor: an exact one, or one that says
/// so, with one result, of its own type or bool.
template <class O, std::size_t... I>
constexpr bool is_worth_packing(std::index_sequence<I...>) {
  using R = ResultOf<O, float, I...>;
  constexpr bool kOneResult = std::is_same_v<R, float> || std::is_same_v<R, bool>;
  constexpr bool kQuick = kIsCheap<O> || IsShort<O>;
  return kOneResult && kQuick && !MostlyBranchFree<O, Same<float, I>...>;
}

template <class O, std::size_t... I>
constexpr void add_packed_kernels(KernelTable& table, std::index_sequence<I...> indices) {
  if constexpr (is_worth_packing<O>(indices)) {
    table[code(DType::kFloat16)].packed = {nullptr, &run_packed_v3<O, HalfRunV3, I...>,
                                           &run_packed_v4<O, HalfRunV4, I...>};
    constexpr bool kPairs = std::is_same_v<ResultOf<O, float, I...>, float>;
    using Run = std::conditional_t<kPairs, BFloat16PairsRun, ScalarRun<BFloat16>>;
    table[code(DType::kBFloat16)].packed = {nullptr, &run_packed_v3<O, Run, I...>,
                                            &run_packed_v4<O, Run, I...>};
  }
}

}  // namespace upcast::internal
