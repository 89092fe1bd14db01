// exp, sinh, cosh, tanh, sin, cos, tan and pow of complex128 without branches: loops over them are
// vectorised, as in branchless.h. They take the steps of complex_exponential.h,
// complex_trigonometric.h and complex_power.h, in sums of two doubles. A result is right where it
// is_ordinary. Elsewhere it may be NaN or anything.
#pragma once

#include "impl/math/branchless.h"
#include "impl/math/complex_power.h"
#include "impl/math/complex_trigonometric.h"

namespace upcast::branchless {

/// Whether the parts of a result are so far from the limits of float64 that it was rounded once.
/// False for zeros, infinities and NaN.
UPCAST_HOST_DEVICE inline bool is_ordinary(Complex<double> found) {
  const double re = magnitude(found.re), im = magnitude(found.im);
  return (re > 0x1p-900) & (re < 0x1p900) & (im > 0x1p-900) & (im < 0x1p900);
}
/// Whether exp(height) does not overflow, and an angle needs no table.
UPCAST_HOST_DEVICE inline bool is_near(double height, double angle) {
  return (magnitude(height) < 300) & (magnitude(angle) < 0x1p20);
}
UPCAST_HOST_DEVICE inline Complex<double> nan_unless(bool known, Complex<double> value) {
  return {known ? value.re : kNaN, known ? value.im : kNaN};
}

UPCAST_HOST_DEVICE inline DoubleDouble chosen(bool first, DoubleDouble a, DoubleDouble b) {
  return {first ? a.hi : b.hi, first ? a.lo : b.lo};
}
/// -a where the highest bit of `sign` is set.
UPCAST_HOST_DEVICE inline DoubleDouble flipped(DoubleDouble a, std::uint64_t sign) {
  return {from_bits(bits(a.hi) ^ (sign & kSignBit)), from_bits(bits(a.lo) ^ (sign & kSignBit))};
}

/// The sine and cosine of |angle| < 2^20.
template <Digits D>
UPCAST_HOST_DEVICE SineCosine sine_cosine_of(DoubleDouble angle) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  const double turns = angle.hi * kTwoOverPi + kRounder;
  const SineCosine of_rest = upcast::internal::sine_cosine_of_rest<D>(
      upcast::internal::rest_of_quarters(angle, turns - kRounder));
  const bool odd = (bits(turns) & 1) != 0;
  const DoubleDouble sine = chosen(odd, of_rest.cosine, of_rest.sine);
  const DoubleDouble cosine = chosen(odd, of_rest.sine, of_rest.cosine);
  return {flipped(sine, bits(turns) << 62), flipped(cosine, (bits(turns) + 1) << 62)};
}

/// The parts of exp(x) = (1 + growth) scale. The scale is a power of two.
struct WideGrowth {
  DoubleDouble growth;
  double scale;
};
/// exp(x) for |x| < 700.
UPCAST_HOST_DEVICE inline WideGrowth wide_exponential(DoubleDouble x) {
  const double rounded = x.hi * kLog2E + kRounder;
  const DoubleDouble rest = x - upcast::kLn2 * DoubleDouble(rounded - kRounder);
  return {upcast::internal::expm1_near_zero<Digits::k18>(rest), power_of_two(rounded)};
}

UPCAST_HOST_DEVICE inline Complex<double> exp_of_parts(DoubleDouble height, DoubleDouble angle) {
  const WideGrowth e = wide_exponential(height);
  const DoubleDouble radius = DoubleDouble(1) + e.growth;
  const SineCosine d = sine_cosine_of<Digits::k18>(angle);
  return {(radius * d.cosine).hi * e.scale, (radius * d.sine).hi * e.scale};
}
UPCAST_HOST_DEVICE inline Complex<double> exp(Complex<double> z) {
  return nan_unless(is_near(z.re, z.im), exp_of_parts(z.re, z.im));
}

/// sinh(x) and cosh(x) of one x.
struct WideHyperbolic {
  DoubleDouble sine, cosine;
};
/// Requires |x| < 300, so that no square of a result overflows.
UPCAST_HOST_DEVICE inline WideHyperbolic wide_hyperbolic(double x) {
  const WideGrowth e = wide_exponential(magnitude(x));
  const DoubleDouble growth = scaled(e.growth, e.scale) + two_sum(e.scale, -1);
  const DoubleDouble inverse = DoubleDouble(1) / (DoubleDouble(1) + growth);
  const double half = with_sign(0.5, x);
  return {scaled(growth + growth * inverse, half), scaled(DoubleDouble(1) + growth + inverse, 0.5)};
}

UPCAST_HOST_DEVICE inline Complex<double> sinh(Complex<double> z) {
  const WideHyperbolic h = wide_hyperbolic(z.re);
  const SineCosine d = sine_cosine_of<Digits::k18>(z.im);
  return nan_unless(is_near(z.re, z.im), {(h.sine * d.cosine).hi, (h.cosine * d.sine).hi});
}

UPCAST_HOST_DEVICE inline Complex<double> cosh(Complex<double> z) {
  const WideHyperbolic h = wide_hyperbolic(z.re);
  const SineCosine d = sine_cosine_of<Digits::k18>(z.im);
  return nan_unless(is_near(z.re, z.im), {(h.cosine * d.cosine).hi, (h.sine * d.sine).hi});
}

UPCAST_HOST_DEVICE inline Complex<double> tanh(Complex<double> z) {
  const WideHyperbolic h = wide_hyperbolic(z.re);
  const SineCosine d = sine_cosine_of<Digits::k18>(z.im);
  const DoubleDouble divisor = h.sine * h.sine + d.cosine * d.cosine;
  return nan_unless(is_near(z.re, z.im),
                    {((h.sine * h.cosine) / divisor).hi, ((d.sine * d.cosine) / divisor).hi});
}

UPCAST_HOST_DEVICE inline Complex<double> sin(Complex<double> z) {
  return upcast::internal::swapped(sinh(upcast::internal::swapped(z)));
}
UPCAST_HOST_DEVICE inline Complex<double> cos(Complex<double> z) { return cosh({-z.im, z.re}); }
UPCAST_HOST_DEVICE inline Complex<double> tan(Complex<double> z) {
  return upcast::internal::swapped(tanh(upcast::internal::swapped(z)));
}

/// log(a), where a > 0 is normal. One step from a logarithm with an error of 2^-37.8 leaves an
/// error of 2^-90.
UPCAST_HOST_DEVICE inline DoubleDouble wide_log(DoubleDouble a) {
  const Binade b = binade(a.hi);
  const DoubleDouble excess = two_sum(b.excess, a.lo * power_of_two(kRounder + b.minus_exponent));
  return upcast::kLn2 * DoubleDouble(-b.minus_exponent) +
         upcast::internal::log1p_from<Digits::k30>(log_of_excess(excess.hi), excess);
}

/// atan2(y, x) with a relative error of about 2^-38. Neither x nor y may be 0, or near the limits
/// of float64.
UPCAST_HOST_DEVICE inline double near_atan2(double y, double x) {
  constexpr double kTanEighth = 0x1.a827999fcef32p-2;
  const double across = magnitude(x), up = magnitude(y);
  const double small = up < across ? up : across, large = up < across ? across : up;
  const bool middle = small > kTanEighth * large;
  const double t = (middle ? small - large : small) / (middle ? small + large : large);
  const double octant = std::fma(t, polynomial<kAtan>(t * t), middle ? kPi / 4 : 0);
  const double quarter = up > across ? kPi / 2 - octant : octant;
  return with_sign(x < 0 ? kPi - quarter : quarter, y);
}

/// base^exponent as exp(exponent log(base)). NaN for the exponents 1 and 2, for which
/// upcast::pow has rules of their own.
UPCAST_HOST_DEVICE inline Complex<double> pow(Complex<double> base, Complex<double> exponent) {
  const double x = base.re, y = base.im;
  const double start = near_atan2(y, x);
  const DoubleDouble phase =
      upcast::internal::atan2_from(start, sine_cosine_of<Digits::k30>(start), y, x);
  const DoubleDouble size = scaled(wide_log(two_product(x, x) + two_product(y, y)), 0.5);
  const DoubleDouble a = exponent.re, b = exponent.im;
  const DoubleDouble height = a * size - b * phase, angle = a * phase + b * size;
  const double larger = magnitude(x) < magnitude(y) ? magnitude(y) : magnitude(x);
  const double smaller = magnitude(x) < magnitude(y) ? magnitude(x) : magnitude(y);
  const bool exact = (exponent.im == 0) & ((exponent.re == 1) | (exponent.re == 2));
  const bool known = is_near(height.hi, angle.hi) & (smaller > 0x1p-400) & (larger < 0x1p400);
  return nan_unless(known & !exact, exp_of_parts(height, angle));
}

}  // namespace upcast::branchless
