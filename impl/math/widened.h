// Applies real functions of double to a dtype. float32 is computed in float64 and rounded once;
// float64 is not widened.
#pragma once

#include <type_traits>

#include "impl/core/host_device.h"

namespace upcast {

/// Applies a function of double to a float or double. A float's result is rounded to float.
template <class T, class F>
UPCAST_HOST_DEVICE T widened(F&& f, T x) {
  return static_cast<T>(f(static_cast<double>(x)));
}

/// Applies `of_float` to a float, and `f`, a function of double, to other types.
template <class T, class OfFloat, class F>
UPCAST_HOST_DEVICE T elementary(OfFloat&& of_float, F&& f, T x) {
  if constexpr (std::is_same_v<T, float>)
    return of_float(x);
  else
    return widened(f, x);
}

/// Applies a function whose result has to be rounded once. For float, `of_float` computes in
/// double, and the result is rounded to float. For double, `of_double` must itself be precise.
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
