// Integer arithmetic modulo 2^bits, without undefined behaviour. For other types, these functions
// use the plain operator.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "impl/core/host_device.h"

namespace upcast {

template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
UPCAST_HOST_DEVICE constexpr T wrapping_add(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}

template <class T>
UPCAST_HOST_DEVICE constexpr T wrapping_sub(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  else
    return a - b;
}

template <class T>
UPCAST_HOST_DEVICE constexpr T wrapping_mul(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}

template <class T>
UPCAST_HOST_DEVICE constexpr T wrapping_neg(T a) {
  return wrapping_sub(T(0), a);
}

/// Integer power modulo 2^bits. A negative exponent gives the truncated reciprocal: 1 for base 1, 1
/// or -1 for base -1, and 0 for every other base, as in LibTorch (even for base 0).
template <class T>
UPCAST_HOST_DEVICE constexpr T integer_power(T base, T exponent) {
  T of_negative = 0;
  if constexpr (std::is_signed_v<T>)
    of_negative = base == 1 ? T(1) : base == -1 ? (exponent % 2 == 0 ? T(1) : T(-1)) : T(0);
  const bool negative = exponent < T(0);
  T result = 1;
  const auto step = [&] {
    result = wrapping_mul(result, exponent % 2 != 0 ? base : T(1));
    base = wrapping_mul(base, base);
    exponent = static_cast<T>(exponent / 2);
  };
  // The number of steps is the same for each exponent, so compilers vectorise a loop over elements.
  // For longer integers most of so many steps would be in vain.
  if constexpr (sizeof(T) <= 2) {
    for (int bit = 0; bit < std::numeric_limits<T>::digits; ++bit) step();
  } else {
    while (exponent > 0) step();
  }
  return negative ? of_negative : result;
}

}  // namespace upcast
