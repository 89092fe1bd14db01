// Elementary functions from the host's float64 library. float32 goes through float64 and rounds
// once; complex64 goes through complex128.
#pragma once

#include <complex>

#include "impl/core/complex.h"

namespace upcast {

/// Applies a function of double or std::complex<double> to T.
template <class T, class F>
T widened(F&& f, T x) {
  if constexpr (kIsComplex<T>) {
    const std::complex<double> y = f(std::complex<double>(x.re, x.im));
    return {static_cast<typename T::Real>(y.real()), static_cast<typename T::Real>(y.imag())};
  } else {
    return static_cast<T>(f(static_cast<double>(x)));
  }
}

template <class T, class F>
T widened(F&& f, T x, T y) {
  if constexpr (kIsComplex<T>) {
    const std::complex<double> z =
        f(std::complex<double>(x.re, x.im), std::complex<double>(y.re, y.im));
    return {static_cast<typename T::Real>(z.real()), static_cast<typename T::Real>(z.imag())};
  } else {
    return static_cast<T>(f(static_cast<double>(x), static_cast<double>(y)));
  }
}

}  // namespace upcast
