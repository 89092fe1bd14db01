// expm1, exp, log1p, log, sine and cosine, and atan2 of sums of two doubles. They use Taylor
// series, or one Newton step from the function of double. `Digits` says how many of the 32 decimal
// digits are wanted; terms too small to need two doubles are added in double. Source: DLMF 4.2.19,
// 4.19.1, 4.19.2; Hida, Li, Bailey, "Library for double-double and quad-double arithmetic" (2007).
#pragma once

#include <cmath>
#include <limits>

#include "impl/math/angle_reduction.h"
#include "impl/math/double_double.h"

namespace upcast {

/// How precise a function has to be. k18: a relative error near 2^-62, which gives 0.501 ulp when
/// rounded to double. k30: near 2^-100, for values that are later multiplied by a large number.
enum class Digits { k18, k30 };

namespace internal {

/// 1 / n!. The low half is right for n <= 18, where a double holds n! exactly.
constexpr DoubleDouble inverse_factorial(int n) {
  double factorial = 1;
  for (int i = 2; i <= n; ++i) factorial *= i;
  const double inverse = 1 / factorial;
  // Computes the remainder of the division by Dekker's product, because std::fma is no constant
  // expression.
  const auto upper = [](double v) {
    const double t = 134217729.0 * v;
    return t - (t - v);
  };
  const double a = upper(inverse), b = upper(factorial);
  const double c = inverse - a, d = factorial - b;
  const double product = inverse * factorial;
  const double error = ((a * b - product) + a * d + c * b) + c * d;
  return {inverse, ((1 - product) - error) / factorial};
}

template <int n>
inline constexpr DoubleDouble kInverseFactorial = inverse_factorial(n);

/// A part of the exponential series: 1/n! + x/(n + Step)! + x^2/(n + 2 Step)! and so on, up to
/// Last!. Uses Horner's rule.
template <int n, int Step, int Last>
UPCAST_HOST_DEVICE double factorial_horner(double x) {
  if constexpr (n + Step > Last)
    return kInverseFactorial<n>.hi;
  else
    return kInverseFactorial<n>.hi + x * factorial_horner<n + Step, Step, Last>(x);
}

/// The sum of factorial_horner, with even and odd powers summed apart. These are two dependency
/// chains, which the CPU can overlap.
template <int n, int Step, int Last>
UPCAST_HOST_DEVICE double factorial_series(double x) {
  return factorial_horner<n, 2 * Step, Last>(x * x) +
         x * factorial_horner<n + Step, 2 * Step, Last>(x * x);
}

/// The sum of factorial_horner, with the terms up to 1/Wide! as sums of two doubles. The low half
/// may be a little more than an ulp of the high one. Each coefficient is larger than the sum of the
/// following ones, so that nothing cancels.
template <int n, int Step, int Wide, int Last>
UPCAST_HOST_DEVICE DoubleDouble factorial_series(DoubleDouble x) {
  if constexpr (n > Wide) {
    return factorial_series<n, Step, Last>(x.hi);
  } else {
    constexpr DoubleDouble kFirst = kInverseFactorial<n>;
    const DoubleDouble rest = factorial_series<n + Step, Step, Wide, Last>(x);
    const DoubleDouble product = two_product(rest.hi, x.hi);
    const DoubleDouble sum = quick_two_sum(kFirst.hi, product.hi);
    const double low = product.lo + (rest.hi * x.lo + rest.lo * x.hi);
    return {sum.hi, sum.lo + (kFirst.lo + low)};
  }
}

/// exp(r) - 1, where |r| is at most about ln(2) / 2. The error is relative to the result.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble expm1_near_zero(DoubleDouble r) {
  if constexpr (D == Digits::k18)
    return r * factorial_series<1, 1, 3, 16>(r);
  else
    return r * factorial_series<1, 1, 13, 23>(r);
}

/// log(1 + u) for -0.3 < u < 0.42, from `start`, an approximation of it. The relative error is that
/// of `start` times 2^-53, or that of D where this is larger.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble log1p_from(double start, DoubleDouble u) {
  const DoubleDouble growth = expm1_near_zero<D>(-start);
  // The error of `start` is (1 + u) exp(-start) - 1. The high halves cancel two times, each time
  // without rounding.
  const DoubleDouble product = two_product(u.hi, growth.hi);
  const double low = (u.lo + growth.lo) + (product.lo + (u.hi * growth.lo + u.lo * growth.hi));
  const double error = ((u.hi + growth.hi) + product.hi) + low;
  return quick_two_sum(start, error - 0.5 * error * error);
}
/// log(1 + u) for -0.3 < u < 0.42. The error is relative to the result.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble log1p_near_zero(DoubleDouble u) {
  return log1p_from<D>(std::log1p(u.hi), u);
}

}  // namespace internal

/// The number value * 2^exponent.
struct ScaledDoubleDouble {
  DoubleDouble value;
  int exponent;
};

/// exp(a), with a value between 0.7 and 1.5. If |a| is above 3000, a is replaced by 3000 with its
/// sign.
template <Digits D>
UPCAST_HOST_DEVICE ScaledDoubleDouble exp_scaled(DoubleDouble a) {
  if (std::abs(a.hi) > 3000) a = std::copysign(3000.0, a.hi);
  const double k = std::rint(a.hi / kLn2.hi);
  const DoubleDouble rest = k == 0 ? a : a - kLn2 * DoubleDouble(k);
  return {DoubleDouble(1) + internal::expm1_near_zero<D>(rest), static_cast<int>(k)};
}

/// exp(a) - 1 for |a| < 700.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble expm1(DoubleDouble a) {
  const double k = std::rint(a.hi / kLn2.hi);
  if (k == 0) return internal::expm1_near_zero<D>(a);
  const DoubleDouble growth = internal::expm1_near_zero<D>(a - kLn2 * DoubleDouble(k));
  const double power = std::ldexp(1.0, static_cast<int>(k));
  return scaled(growth, power) + two_sum(power, -1);
}

/// log(a) of a positive finite number.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble log(DoubleDouble a) {
  int exponent;
  double mantissa = std::frexp(a.hi, &exponent);
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  const DoubleDouble excess = two_sum(mantissa - 1, a.lo == 0 ? 0 : std::ldexp(a.lo, -exponent));
  if (exponent == 0) return internal::log1p_near_zero<D>(excess);
  return kLn2 * DoubleDouble(exponent) + internal::log1p_near_zero<D>(excess);
}

/// log(1 + u) for a finite u > -1.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble log1p(DoubleDouble u) {
  if (u.hi > -0.29 && u.hi < 0.41) return internal::log1p_near_zero<D>(u);
  return log<D>(DoubleDouble(1) + u);
}

struct SineCosine {
  DoubleDouble sine, cosine;
};

namespace internal {

/// |r| at most about pi / 4.
template <Digits D>
UPCAST_HOST_DEVICE SineCosine sine_cosine_of_rest(DoubleDouble r) {
  constexpr bool kShort = D == Digits::k18;
  const DoubleDouble square = -(r * r);
  const DoubleDouble sine = r * internal::factorial_series < 1, 2, kShort ? 5 : 15,
                     kShort ? 20 : 28 > (square);
  const DoubleDouble cosine = internal::factorial_series < 0, 2, kShort ? 4 : 16,
                     kShort ? 20 : 28 > (square);
  return {sine, cosine};
}

}  // namespace internal

template <Digits D>
UPCAST_HOST_DEVICE SineCosine sine_cosine(ReducedAngle angle) {
  const auto [sine, cosine] = internal::sine_cosine_of_rest<D>(angle.rest);
  const bool odd = (angle.quarters & 1) != 0, negative = (angle.quarters & 2) != 0;
  const DoubleDouble first = odd ? cosine : sine, second = odd ? -sine : cosine;
  return {negative ? -first : first, negative ? -second : second};
}

namespace internal {

/// The angle of the point (x, y) from `start`, an approximation of it. `t` holds the sine and
/// cosine of `start`. x and y must be so far from the limits of float64 that products with them are
/// exact.
UPCAST_HOST_DEVICE inline DoubleDouble atan2_from(double start, SineCosine t, DoubleDouble y,
                                                  DoubleDouble x) {
  // Computes the distance of (x, y) from the line in the direction `start`. The high products
  // cancel without rounding.
  const DoubleDouble up = two_product(y.hi, t.cosine.hi), down = two_product(x.hi, t.sine.hi);
  const double low =
      (y.hi * t.cosine.lo + y.lo * t.cosine.hi) - (x.hi * t.sine.lo + x.lo * t.sine.hi);
  const double across = (up.hi - down.hi) + ((up.lo - down.lo) + low);
  return quick_two_sum(start, across / (x.hi * t.cosine.hi + y.hi * t.sine.hi));
}

}  // namespace internal

/// The angle of the point (x, y), in (-pi, pi], with the sign of y, even if y is zero. x and y must
/// be finite, and not both 0.
template <Digits D>
UPCAST_HOST_DEVICE DoubleDouble atan2(DoubleDouble y, DoubleDouble x) {
  const double start = std::atan2(y.hi, x.hi);
  if (std::abs(start) < 0x1p-960) return start;  // so small an angle has no low half
  const double larger = std::fmax(std::abs(x.hi), std::abs(y.hi));
  if (!(larger > 0x1p-300 && larger < 0x1p300)) {
    const int exponent = -std::ilogb(larger);
    x = {std::ldexp(x.hi, exponent), std::ldexp(x.lo, exponent)};
    y = {std::ldexp(y.hi, exponent), std::ldexp(y.lo, exponent)};
  }
  return internal::atan2_from(start, sine_cosine<D>(internal::reduce_half_turn(start)), y, x);
}

}  // namespace upcast
