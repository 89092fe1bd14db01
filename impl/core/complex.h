// Complex numbers with textbook arithmetic, as c10::complex has it. A product of infinities may be
// NaN, because the recovery that Annex G of C asks for is left out.
#pragma once

#include "impl/core/host_device.h"

namespace upcast {

template <class T>
struct Complex {
  using Real = T;
  T re{};
  T im{};

  constexpr bool operator==(const Complex&) const = default;
};

template <class T>
UPCAST_HOST_DEVICE constexpr Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
UPCAST_HOST_DEVICE constexpr Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
UPCAST_HOST_DEVICE constexpr Complex<T> operator-(Complex<T> a) {
  return {-a.re, -a.im};
}
template <class T>
UPCAST_HOST_DEVICE constexpr Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
UPCAST_HOST_DEVICE constexpr Complex<T> conj(Complex<T> a) {
  return {a.re, -a.im};
}

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<Complex<T>> = true;

namespace internal {
template <class T>
struct RealPart {
  using type = T;
};
template <class T>
struct RealPart<Complex<T>> {
  using type = T;
};
}  // namespace internal

/// The real type of a number's parts: float for Complex<float>. For a real type T it is T itself.
template <class T>
using RealOf = typename internal::RealPart<T>::type;

}  // namespace upcast
