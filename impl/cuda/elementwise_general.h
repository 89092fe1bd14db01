// The kernel for any operands: mixed dtypes, strides, broadcasting, two outputs. Dense operands are
// read and written in vectors, each at its own width.
#pragma once

#include "impl/cuda/compute.h"
#include "impl/cuda/element_registers.h"

namespace upcast {

namespace internal {

template <class R>
inline constexpr bool kHasExponent = false;
template <class T>
inline constexpr bool kHasExponent<WithExponent<T>> = true;

/// The addresses of a group's elements, for the operand with this number.
template <class Byte, class Operand>
UPCAST_HOST_DEVICE void find_addresses(const Operand& operand, int number,
                                       const std::array<OffsetCalculator::Offsets, kGroup>& offsets,
                                       Byte* (&addresses)[kGroup]) {
  for (std::uint32_t i = 0; i < kGroup; ++i) addresses[i] = operand.data + offsets[i][number];
}

template <class T>
UPCAST_HOST_DEVICE GroupValues<T> filled(T value) {
  GroupValues<T> group;
  for (T& each : group.values) each = value;
  return group;
}

template <class R>
UPCAST_HOST_DEVICE void write_results(
    const GroupValues<R>& results, const KernelOperand& output, int number,
    const ElementGroup& group, const std::array<OffsetCalculator::Offsets, kGroup>& offsets) {
  std::byte* addresses[kGroup];
  find_addresses(output, number, offsets, addresses);
  write_group(addresses, group, output.itemsize,
              elements_of(results, output.dtype, output.through));
}

template <class O, class T, std::size_t... I>
UPCAST_HOST_DEVICE void run_general(LaunchIndex at, const GeneralArgs& args,
                                    std::index_sequence<I...>) {
  using R = ResultOf<O, T, I...>;
  using Params = typename ParamsOf<O, T>::type;
  constexpr int kOutputs = kHasExponent<R> ? 2 : 1;
  constexpr int kInputs = sizeof...(I);
  const Params& params = *reinterpret_cast<const Params*>(args.params.bytes.data());
  Fault raised;
  for (std::uint32_t number = first_group(at); number < args.groups.count();
       number += at.all_threads()) {
    const ElementGroup group = args.groups.group(number);
    if (group.count == 0) continue;
    std::array<OffsetCalculator::Offsets, kGroup> offsets;
    for (std::uint32_t i = 0; i < kGroup; ++i)
      if (i == 0 || !group.vector)  // only the first address of a vector is needed
        offsets[i] = args.offsets.offsets(group.elements[i], kOutputs + kInputs);

    std::array<RawGroup<kWordsOf<T>>, kInputs> raw;
    const auto read = [&](int i) {
      const KernelOperand& input = args.inputs[i];
      if (input.access == Access::kConstant) return;
      const std::byte* addresses[kGroup];
      find_addresses(input, kOutputs + i, offsets, addresses);
      if (input.access == Access::kRepeated)
        for (const std::byte*& address : addresses) address = input.data;
      raw[i] = read_group<kWordsOf<T>>(addresses, group.vector && input.access == Access::kEach,
                                       input.itemsize);
    };
    (read(I), ...);
    const auto value = [&](int i) {
      const KernelOperand& input = args.inputs[i];
      return input.access == Access::kConstant ? filled(args.constants[i].template as<T>())
                                               : values_of<T>(raw[i], input.dtype, input.through);
    };
    const std::array<GroupValues<T>, kInputs> values{value(I)...};

    if constexpr (kOutputs == 2) {
      GroupValues<T> results;
      GroupValues<std::int32_t> exponents;
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        const R found = compute<O, T>(params, raised, values[I].values[i]...);
        results.values[i] = found.value;
        exponents.values[i] = found.exponent;
      }
      write_results(results, args.outputs[0], 0, group, offsets);
      write_results(exponents, args.outputs[1], 1, group, offsets);
    } else {
      GroupValues<R> results;
      for (std::uint32_t i = 0; i < kGroup; ++i)
        results.values[i] = compute<O, T>(params, raised, values[I].values[i]...);
      write_results(results, args.outputs[0], 0, group, offsets);
    }
  }
  if (raised.zero_division && args.fault != nullptr) args.fault->zero_division = true;
}

}  // namespace internal

/// What one thread of the launch does. O is the op's struct, T its compute type.
template <class O, class T>
UPCAST_HOST_DEVICE void elementwise_general(LaunchIndex at, const GeneralArgs& args) {
  internal::run_general<O, T>(at, args,
                              std::make_index_sequence<internal::operand_count(O::spec)>{});
}

}  // namespace upcast
