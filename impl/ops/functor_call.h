// How a kernel calls an op's functor: its parameters, its operands, its result, and what its struct
// says of it (impl/ops/make_op.h).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "impl/core/element.h"
#include "impl/ops/catalogue.h"

namespace upcast::internal {

struct NoParams {};

template <class O, class T>
struct ParamsOf {
  using type = NoParams;
  static type make(const Call&, DType) { return {}; }
};
template <class O, class T>
requires requires { typename O::template Params<T>; }
struct ParamsOf<O, T> {
  using type = typename O::template Params<T>;
  static type make(const Call& call, DType common) { return type(call, common); }
};

/// Calls an op's functor with the operands, and with parameters and fault if it takes them.
template <class O, class T, class... Operands>
UPCAST_HOST_DEVICE auto apply(const O& op, const typename ParamsOf<O, T>::type& params,
                              Fault& fault, Operands... operands) {
  constexpr bool kParams = !std::is_same_v<typename ParamsOf<O, T>::type, NoParams>;
  if constexpr (kParams && requires { op(operands..., params, fault); })
    return op(operands..., params, fault);
  else if constexpr (kParams)
    return op(operands..., params);
  else if constexpr (requires { op(operands..., fault); })
    return op(operands..., fault);
  else
    return op(operands...);
}

constexpr int operand_count(const OpSpec& spec) {
  int count = 0;
  while (count < kMaxOperands && !spec.operands[count].empty()) ++count;
  return count;
}

template <class O, class T>
inline constexpr bool kHasParams = !std::is_same_v<typename ParamsOf<O, T>::type, NoParams>;

template <class O, class T>
void make_params(KernelParams& stored, const Call& call, DType common) {
  using Params = typename ParamsOf<O, T>::type;
  static_assert(sizeof(Params) <= sizeof stored.bytes && alignof(Params) <= alignof(KernelParams) &&
                std::is_trivially_copyable_v<Params>);
  const Params params = ParamsOf<O, T>::make(call, common);
  std::memcpy(stored.bytes.data(), &params, sizeof params);
}

template <class O, class T, std::size_t... I>
using ResultOf = decltype(apply<O, T>(
    std::declval<const O&>(), std::declval<const typename ParamsOf<O, T>::type&>(),
    std::declval<Fault&>(), (static_cast<void>(I), std::declval<T>())...));

template <class T>
void store(std::byte* const* out, std::int64_t i, T result) {
  reinterpret_cast<T*>(out[0])[i] = result;
}
template <class T>
void store(std::byte* const* out, std::int64_t i, WithExponent<T> result) {
  reinterpret_cast<T*>(out[0])[i] = result.value;
  reinterpret_cast<std::int32_t*>(out[1])[i] = result.exponent;
}

/// The type T. An expansion over indices repeats it, once for each index.
template <class T, std::size_t>
using Same = T;

/// The type of the functor's argument for an operand: bool for a mask, else T.
template <class O, class T, std::size_t Operand>
using OperandOf = std::conditional_t<O::spec.is_mask(O::spec.operands[Operand]), bool, T>;

/// The type as which a kernel reads an element. A bool is read as a byte, because any byte but 0 is
/// true; its conversion to bool makes it 0 or 1.
template <class T>
using InMemory = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

template <class O, class T, std::size_t... I>
using InputsOf = std::tuple<const InMemory<OperandOf<O, T, I>>*...>;

template <class O, class T, std::size_t... I>
[[gnu::always_inline]] inline InputsOf<O, T, I...> inputs_of(const std::byte* const* in) {
  return {reinterpret_cast<const InMemory<OperandOf<O, T, I>>*>(in[I])...};
}

template <class O, class T, std::size_t Operand>
[[gnu::always_inline]] inline OperandOf<O, T, Operand> element(const std::byte* at) {
  using R = OperandOf<O, T, Operand>;
  return static_cast<R>(*reinterpret_cast<const InMemory<R>*>(at));
}

/// An op whose struct has `mostly`: a version of the functor without branches, which is right for
/// most arguments.
template <class O, class... T>
concept MostlyBranchFree = requires(T... x) {
  O::is_right(x..., O::mostly(x...));
};

template <class O>
concept IsShort = requires {
  requires O::is_short;
};

template <class O, class T>
concept RedoneWhole = requires {
  requires O::template redone_whole<T>;
};

/// Whether an op is exact. Nearly all exact ops take less time than loading their operands from
/// memory, so they count as cheap.
template <class O>
inline constexpr bool kIsCheap = O::spec.accuracy.float32.ours == 0;

template <class O, class T>
[[gnu::always_inline]] inline auto params_of(const KernelParams& stored) {
  if constexpr (kHasParams<O, T>)
    return *reinterpret_cast<const typename ParamsOf<O, T>::type*>(stored.bytes.data());
  else
    return static_cast<void>(stored), NoParams{};
}

}  // namespace upcast::internal
