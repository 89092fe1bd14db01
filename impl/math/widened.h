// Real functions. float32 is computed in float64 and rounded once; float64 is not widened.
#pragma once

#include <type_traits>

#include "impl/core/host_device.h"

namespace upcast {

/// Applies a function of double to a float or double.
template <class T, class F>
UPCAST_HOST_DEVICE T widened(F&& f, T x) {
  return static_cast<T>(f(static_cast<double>(x)));
}

/// The same, but float32 has a function of its own.
template <class T, class OfFloat, class F>
UPCAST_HOST_DEVICE T elementary(OfFloat&& of_float, F&& f, T x) {
  if constexpr (std::is_same_v<T, float>)
    return of_float(x);
  else
    return widened(f, x);
}

/// For dtypes that compute in float32, `of_float` gives a double, which is rounded once. For
/// float64, `of_double` is precise itself.
template <class OfFloat, class OfDouble, class... X>
UPCAST_HOST_DEVICE auto once_rounded(OfFloat&& of_float, OfDouble&& of_double, X... x) {
  using T = std::common_type_t<X...>;
  if constexpr (std::is_same_v<T, double>)
    return of_double(x...);
  else
    return static_cast<T>(of_float(static_cast<double>(x)...));
}

template <class T, class F>
UPCAST_HOST_DEVICE T widened(F&& f, T x, T y) {
  return static_cast<T>(f(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace upcast
