// Complex numbers with textbook arithmetic, as c10::complex has it. A product of infinities may be
// NaN, because the recovery that Annex G of C asks for is left out.
#pragma once

#include <type_traits>

#include "impl/core/host_device.h"

namespace upcast {

namespace internal {

#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_assoc_barrier)
#define UPCAST_HAVE_ASSOC_BARRIER
#endif
#endif

/// A product that the compiler does not fuse with an addition. GCC 12.2 makes vfmaddsub of a
/// complex product, also with -ffp-contract=off (GCC bug 107647), but not across this barrier.
template <class T>
UPCAST_HOST_DEVICE constexpr T unfused(T product) {
#ifdef UPCAST_HAVE_ASSOC_BARRIER
  if constexpr (std::is_floating_point_v<T>) return __builtin_assoc_barrier(product);
#endif
  return product;
}

}  // namespace internal

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
  using internal::unfused;
  return {unfused(a.re * b.re) - unfused(a.im * b.im), unfused(a.re * b.im) + unfused(a.im * b.re)};
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
