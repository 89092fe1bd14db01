// Elementary functions from the host's library, one step wider and rounded once: float32 through
// float64, complex64 through complex128, complex128 through 80-bit complex (on x86). float64 is the
// library's own.
#pragma once

#include <complex>
#include <type_traits>

#include "impl/core/complex.h"

namespace upcast {

namespace internal {

template <class T>
using Wider = std::conditional_t<std::is_same_v<T, Complex<double>>, std::complex<long double>,
                                 std::complex<double>>;

template <class T>
Wider<T> widen(T x) {
  return {x.re, x.im};
}

template <class T, class W>
T narrow(std::complex<W> x) {
  return {static_cast<typename T::Real>(x.real()), static_cast<typename T::Real>(x.imag())};
}

}  // namespace internal

/// Applies a function of double, std::complex<double> and std::complex<long double> to T.
template <class T, class F>
UPCAST_HOST_DEVICE T widened(F&& f, T x) {
  if constexpr (kIsComplex<T>) {
    return internal::narrow<T>(f(internal::widen(x)));
  } else {
    return static_cast<T>(f(static_cast<double>(x)));
  }
}

/// The same, but float32 has a function of its own.
template <class T, class OfFloat, class F>
UPCAST_HOST_DEVICE T elementary(OfFloat&& of_float, F&& f, T x) {
  if constexpr (std::is_same_v<T, float>)
    return of_float(x);
  else
    return widened(f, x);
}

template <class T, class F>
UPCAST_HOST_DEVICE T widened(F&& f, T x, T y) {
  if constexpr (kIsComplex<T>) {
    return internal::narrow<T>(f(internal::widen(x), internal::widen(y)));
  } else {
    return static_cast<T>(f(static_cast<double>(x), static_cast<double>(y)));
  }
}

}  // namespace upcast
