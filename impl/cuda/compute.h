// Computes one element with an op's functor, in device code or on the host.
#pragma once

#include "impl/ops/make_op.h"

namespace upcast::internal {

/// The error bounds of results of the compute type T; all 0 for a type that is exact.
template <class T>
constexpr Bounds bounds_of(const Accuracy& accuracy) {
  if constexpr (std::is_same_v<T, float>) return accuracy.float32;
  if constexpr (std::is_same_v<T, double>) return accuracy.float64;
  if constexpr (std::is_same_v<T, Complex<float>>) return accuracy.complex64;
  if constexpr (std::is_same_v<T, Complex<double>>) return accuracy.complex128;
  return {};
}

/// Whether the functor is long. Functors that are not exact count as long: device code calls them.
/// A short functor is inlined wherever a kernel needs it.
template <class O, class T>
inline constexpr bool kIsLong = bounds_of<T>(O::spec.accuracy).ours > 0;

template <class O, class T, class... Operands>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE auto called(const typename ParamsOf<O, T>::type& params,
                                                      Operands... operands) {
  Fault none;  // unused: only integer functors raise faults, and they are short
  return apply<O, T>(O{}, params, none, operands...);
}

template <class O, class T, class... Operands>
UPCAST_HOST_DEVICE auto compute(const typename ParamsOf<O, T>::type& params, Fault& fault,
                                Operands... operands) {
  if constexpr (kIsLong<O, T>)
    return called<O, T>(params, operands...);
  else
    return apply<O, T>(O{}, params, fault, operands...);
}

}  // namespace upcast::internal
