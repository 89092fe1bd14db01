// Sums of two doubles hold about 106 bits. They are used where double would cancel, or where an
// exponent is large. Source: Dekker (1971), Knuth (TAOCP 2, 4.2.2); exp and log after DLMF 4.2.19
// and Newton's method.
#pragma once

#include <cmath>

#include "impl/core/host_device.h"

namespace upcast {

/// The number hi + lo, where |lo| is at most half an ulp of hi.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  DoubleDouble() = default;
  UPCAST_HOST_DEVICE constexpr DoubleDouble(double value) : hi(value) {}  // NOLINT: implicit
  UPCAST_HOST_DEVICE constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}
  UPCAST_HOST_DEVICE explicit constexpr operator double() const { return hi + lo; }
};

/// The exact sum a + b, if |a| >= |b|.
UPCAST_HOST_DEVICE inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// The exact sum a + b, as two doubles.
UPCAST_HOST_DEVICE inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// The exact product a * b, if its low half does not underflow.
UPCAST_HOST_DEVICE inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

UPCAST_HOST_DEVICE inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

UPCAST_HOST_DEVICE inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  const DoubleDouble middle = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(middle.hi, middle.lo + low.lo);
}

UPCAST_HOST_DEVICE inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

UPCAST_HOST_DEVICE inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.hi, b.hi);
  if (product.hi == 0) return product.hi;  // a product of 0 keeps its sign
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

UPCAST_HOST_DEVICE inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double quotient = a.hi / b.hi;
  if (quotient == 0) return quotient;  // a quotient of 0 keeps its sign
  const double rest = std::fma(-quotient, b.hi, a.hi) + (a.lo - quotient * b.lo);
  return quick_two_sum(quotient, rest / b.hi);
}

/// The square root of a positive number.
UPCAST_HOST_DEVICE inline DoubleDouble sqrt(DoubleDouble a) {
  const double root = std::sqrt(a.hi);
  return quick_two_sum(root, (std::fma(-root, root, a.hi) + a.lo) / (2 * root));
}

/// a * power. The power must be a power of two, so that the product is exact.
UPCAST_HOST_DEVICE inline DoubleDouble scaled(DoubleDouble a, double power) {
  return {a.hi * power, a.lo * power};
}

inline constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/// exp(a) as result * 2^exponent, for |a| < 2^30. The result is between 1/2 and 2, so it neither
/// overflows nor underflows.
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE inline DoubleDouble exp_scaled(DoubleDouble a,
                                                                         int& exponent) {
  const double k = std::rint(a.hi / kLn2.hi);
  exponent = static_cast<int>(k);
  const DoubleDouble rest = scaled(a - kLn2 * DoubleDouble(k), 1.0 / 256);
  // Sums the series of expm1. |rest| is below 0.0014, so ten terms are enough.
  DoubleDouble sum = 0;
  for (double n = 10; n >= 1; --n) sum = (DoubleDouble(1) + sum) * rest / DoubleDouble(n);
  for (int i = 0; i < 8; ++i) sum = scaled(sum, 2) + sum * sum;
  return DoubleDouble(1) + sum;
}

/// exp(a) for |a| < 690, where both parts of the result are normal numbers.
UPCAST_HOST_DEVICE inline DoubleDouble exp(DoubleDouble a) {
  int exponent;
  const DoubleDouble mantissa = exp_scaled(a, exponent);
  return scaled(mantissa, std::ldexp(1.0, exponent));
}

/// exp(a), rounded once to a double, which may be 0 or infinite.
UPCAST_HOST_DEVICE inline double exp_rounded(DoubleDouble a) {
  if (!(a.hi > -800)) return a.hi <= -800 ? 0 : a.hi;
  if (a.hi > 800) return HUGE_VAL;
  int exponent;
  const DoubleDouble mantissa = exp_scaled(a, exponent);
  return std::ldexp(static_cast<double>(mantissa), exponent);
}

/// cot(a) = cos(a) / sin(a), where |a| is at most about pi / 2, and not 0. Source: DLMF 4.19.1,
/// 4.19.2.
UPCAST_HOST_DEVICE inline DoubleDouble cotangent(DoubleDouble a) {
  const DoubleDouble square = -(a * a);
  DoubleDouble sine = 1, cosine = 1;
  for (double n = 30; n >= 2; n -= 2) {
    sine = DoubleDouble(1) + sine * square / DoubleDouble(n * (n + 1));
    cosine = DoubleDouble(1) + cosine * square / DoubleDouble(n * (n - 1));
  }
  return cosine / (sine * a);
}

/// log(a) for a positive, finite and normal a: one Newton step from the float64 logarithm.
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE inline DoubleDouble log(DoubleDouble a) {
  int exponent;
  const double mantissa = std::frexp(a.hi, &exponent);
  if (mantissa < 0.70710678118654752) --exponent;
  const DoubleDouble reduced{std::ldexp(a.hi, -exponent), std::ldexp(a.lo, -exponent)};
  const double start = std::log(reduced.hi);
  const DoubleDouble error = reduced * exp(DoubleDouble(-start)) - DoubleDouble(1);
  const DoubleDouble logarithm = DoubleDouble(start) + (error - scaled(error * error, 0.5));
  return logarithm + kLn2 * DoubleDouble(exponent);
}

}  // namespace upcast
