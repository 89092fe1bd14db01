// Converts a caller's Number to a dtype, with the checks that c10::Scalar::to makes for attributes.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "impl/core/element.h"
#include "impl/core/number.h"

namespace upcast {

/// Converts the number to T without a check: floats truncate toward zero, integers wrap.
template <class T>
T number_to(const Number& number) {
  return number.visit([](auto value) { return convert<T>(value); });
}

namespace internal {

template <class T>
bool integer_fits(auto value) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_signed_v<decltype(value)> && std::is_unsigned_v<T>) {
    // A negative number is accepted for an unsigned type, and wraps, if its magnitude fits.
    if (value < 0)
      return static_cast<std::uint64_t>(0) - static_cast<std::uint64_t>(value) <=
             static_cast<std::uint64_t>(Limits::max());
    return static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(Limits::max());
  } else if constexpr (std::is_unsigned_v<decltype(value)>) {
    return value <= static_cast<std::uint64_t>(Limits::max());
  } else {
    return value >= static_cast<std::int64_t>(Limits::min()) &&
           value <= static_cast<std::int64_t>(Limits::max());
  }
}

}  // namespace internal

/// Whether c10::Scalar::to<T> accepts the number. `largest` is the largest finite value of the
/// dtype that T stands for.
template <class T>
bool number_fits(const Number& number, double largest) {
  return number.visit([largest](auto value) -> bool {
    using V = decltype(value);
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<V, bool>) {
      return true;
    } else if constexpr (kIsComplex<V>) {
      if constexpr (kIsComplex<T>)
        return std::isnan(value.re) || std::isinf(value.re) || std::abs(value.re) <= largest;
      else
        return value.im == 0 && number_fits<T>(Number(value.re), largest);
    } else if constexpr (std::is_floating_point_v<V> && std::is_integral_v<T>) {
      const double upper = std::ldexp(1.0, std::numeric_limits<T>::digits);
      return value < upper && value >= (std::is_signed_v<T> ? -upper : 0.0);
    } else if constexpr (std::is_floating_point_v<V>) {
      return std::isnan(value) || std::isinf(value) || std::abs(value) <= largest;
    } else if constexpr (std::is_integral_v<T>) {
      return internal::integer_fits<T>(value);
    } else {
      return static_cast<double>(value) <= largest && static_cast<double>(value) >= -largest;
    }
  });
}

/// The largest finite value of a floating or complex dtype; infinity for other dtypes.
double largest_finite(DType dtype);

/// Whether c10::Scalar::to accepts the number for an elementwise dtype.
bool number_fits(const Number& number, DType dtype);

}  // namespace upcast
