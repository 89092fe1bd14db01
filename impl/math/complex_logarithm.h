// The functions log, log2, log10, log1p and logaddexp of complex numbers. Their special values are
// those of C17, Annex G.6.3.2.
#pragma once

#include "impl/math/complex_exponential.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

namespace internal {

/// log|z| for a z whose |z|^2 - 1 is `excess`. It is accurate near |z| = 1, where log(|z|^2) is
/// not.
template <Digits D, class W>
UPCAST_HOST_DEVICE W half_log1p(W excess) {
  return W(0.5) * log1p_of<D>(excess);
}

/// The logarithm of x + i y, which must be finite and not 0.
template <Digits D, class W>
UPCAST_HOST_DEVICE Complex<W> logarithm(W x, W y) {
  const W angle = atan2_of<D>(y, x);
  W larger = magnitude(x), smaller = magnitude(y);
  if (leading(larger) < leading(smaller)) {
    const W swapped = larger;
    larger = smaller;
    smaller = swapped;
  }
  if (leading(larger) > 0.5 && leading(larger) < 2) {
    const W excess = (larger - W(1)) * (larger + W(1)) + smaller * smaller;
    if (std::abs(leading(excess)) < 0.5) return {half_log1p<D>(excess), angle};
  }
  int exponent = 0;
  if constexpr (std::is_same_v<W, DoubleDouble>) {
    exponent = excess_exponent(larger.hi);
    if (exponent != 0) {
      larger = times_power(larger, -exponent);
      smaller = times_power(smaller, -exponent);
    }
  }
  const W modulus = W(0.5) * log_of<D>(larger * larger + smaller * smaller);
  return {exponent == 0 ? modulus : modulus + W(exponent) * ln2<W>(), angle};
}

/// The logarithm of 0, and of numbers with an infinite or NaN part.
UPCAST_HOST_DEVICE inline Complex<double> log_special(double x, double y) {
  if (x == 0 && y == 0) return {-HUGE_VAL, std::atan2(y, x)};
  if (std::isinf(x) || std::isinf(y)) return {HUGE_VAL, std::atan2(y, x)};
  return {NAN, NAN};
}

/// The natural logarithm times `factor`, which is the logarithm to the base e^(1 / factor).
template <class R>
UPCAST_HOST_DEVICE Complex<R> log_times(Complex<R> z, DoubleDouble factor) {
  using W = WorkingPrecision<R>;
  if (!is_finite(z) || (z.re == 0 && z.im == 0)) {
    const Complex<double> natural = log_special(z.re, z.im);
    return rounded<R>(Complex<double>{natural.re, natural.im * factor.hi});
  }
  const Complex<W> natural = logarithm<Digits::k18>(W(z.re), W(z.im));
  const W scale = static_cast<W>(factor);
  return {rounded<R>(natural.re * scale),
          z.im == 0 && z.re > 0 ? z.im : rounded<R>(natural.im * scale)};
}

}  // namespace internal

template <class R>
UPCAST_HOST_DEVICE Complex<R> log(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z) || (z.re == 0 && z.im == 0))
    return internal::rounded<R>(internal::log_special(z.re, z.im));
  return internal::rounded<R>(internal::logarithm<Digits::k18>(W(z.re), W(z.im)));
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> log2(Complex<R> z) {
  return internal::log_times(z, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

template <class R>
UPCAST_HOST_DEVICE Complex<R> log10(Complex<R> z) {
  return internal::log_times(z, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

namespace internal {

/// log(1 + z) for z = x + i y. If |1 + z| is near 1, it uses |1 + z|^2 - 1 = x (x + 2) + y^2.
template <class W>
UPCAST_HOST_DEVICE Complex<W> log1p_of_parts(W x, W y) {
  const W excess = x * (x + W(2)) + y * y;
  if (std::abs(leading(excess)) < 0.5)
    return {half_log1p<Digits::k18>(excess), atan2_of<Digits::k18>(y, W(1) + x)};
  return logarithm<Digits::k18>(W(1) + x, y);
}

}  // namespace internal

template <class R>
UPCAST_HOST_DEVICE Complex<R> log1p(Complex<R> z) {
  using W = internal::WorkingPrecision<R>;
  if (!internal::is_finite(z) || (z.re == -1 && z.im == 0))
    return internal::rounded<R>(internal::log_special(1 + static_cast<double>(z.re), z.im));
  if (z.re == 0 && z.im == 0) return z;
  // A large z is not squared, because that would overflow; log(1 + z) is log(z) for it.
  if (std::fmax(std::abs(z.re), std::abs(z.im)) > R(0x1p100)) return log(z);
  return internal::rounded<R>(internal::log1p_of_parts(W(z.re), W(z.im)));
}

namespace internal {

/// log(1 + exp(x + i y)) for x <= 0, where `half` is the direction of y / 2. With t = exp(x), p = 1
/// - t and c = 2 cos(y/2)^2, 1 + t exp(i y) is p + t c + i t sin(y). Its squared modulus is p^2 + 2
/// t c.
template <class W>
UPCAST_HOST_DEVICE Complex<W> log1p_of_exp(W x, Direction<W> half) {
  const bool near_one = leading(x) > -0.25;
  const W power = near_one ? -expm1_of(x) : exp_of(x);
  const W p = near_one ? power : W(1) - power, t = near_one ? W(1) - power : power;
  const W c = W(2) * (half.cosine * half.cosine);
  const W sine = W(2) * (half.sine * half.cosine);
  const W angle = atan2_of<Digits::k18>(t * sine, p + t * c);
  const W excess = t * (t + W(2) * (c - W(1)));  // equals |1 + t exp(i y)|^2 - 1
  if (std::abs(leading(excess)) < 0.5) return {half_log1p<Digits::k18>(excess), angle};
  return {W(0.5) * log_of<Digits::k18>(p * p + W(2) * (t * c)), angle};
}

/// The sine and cosine of (a - b) / 2. The difference is kept as two doubles, because it may have
/// more digits than one.
template <class W>
UPCAST_HOST_DEVICE Direction<W> half_direction(double a, double b) {
  const DoubleDouble half = two_sum(0.5 * a, -0.5 * b);
  return half.lo == 0 ? direction<W>(half.hi) : direction<W>(reduce_exact_sum(half));
}

/// Whether exp(a) counts as larger than exp(b). If both have the same size, the one with the
/// smaller angle counts as larger: the angle of the rest is added to it, and would lose digits next
/// to a large angle.
template <class R>
UPCAST_HOST_DEVICE bool is_larger_exponential(Complex<R> a, Complex<R> b) {
  if (a.re != b.re) return a.re > b.re;
  const R angle = std::abs(a.im), other = std::abs(b.im);
  return angle != other ? angle < other : a.im > b.im;
}

}  // namespace internal

/// log(exp(a) + exp(b)). If both exponentials are 0, the angle is that of b.
template <class R>
UPCAST_HOST_DEVICE Complex<R> logaddexp(Complex<R> a, Complex<R> b) {
  using W = internal::WorkingPrecision<R>;
  if (std::isinf(a.re) && a.re == b.re) {
    if (a == b) return a;
    return a.re < 0 ? b : log(exp(a) + exp(b));
  }
  const bool a_is_larger = internal::is_larger_exponential(a, b);
  const Complex<R> larger = a_is_larger ? a : b, smaller = a_is_larger ? b : a;
  if (!internal::is_finite(a) || !internal::is_finite(b)) {
    Complex<R> difference = smaller - larger;
    // The difference of finite parts counts as finite, although it may overflow.
    if (std::isfinite(a.re) && std::isfinite(b.re))
      difference.re = std::fmax(difference.re, R(-1e30));
    return larger + log1p(exp(difference));
  }
  const internal::Direction<W> half = internal::half_direction<W>(smaller.im, larger.im);
  const double gap = static_cast<double>(smaller.re) - larger.re;
  // exp(smaller - larger) underflows to 0, so only the signs of its parts matter.
  if (gap < -740) {
    const double sine = internal::leading(half.sine), cosine = internal::leading(half.cosine);
    return {larger.re + R(0) * static_cast<R>((cosine - sine) * (cosine + sine)),
            larger.im + R(0) * static_cast<R>(sine * cosine)};
  }
  const W x = W(smaller.re) - W(larger.re);
  const Complex<W> rest = internal::log1p_of_exp(x, half);
  return {internal::rounded<R>(W(larger.re) + rest.re),
          internal::rounded<R>(W(larger.im) + rest.im)};
}

}  // namespace upcast
