// The Bessel functions J0 and J1 of float32. They are computed in float64 without branches and
// rounded once. The error is at most 0.5001 ulp, measured against glibc's float64 functions over
// every 61st bit pattern.
#pragma once

#include <cmath>

#include "impl/math/branchless.h"
#include "impl/math/float_bessel_coefficients.h"
#include "impl/math/float_trigonometric.h"

namespace upcast::branchless {

/// J0 or J1 of |x|, by its tables (float_bessel_coefficients.h). Each has a formula up to kLimit
/// and another one from there on.
template <int kOrder, const auto& kZeros, const auto& kNear, const auto& kAmplitude,
          const auto& kPhase>
struct Bessel {
  static constexpr double kLimit = 8;

  /// The first two zeros are factors, so that nothing cancels near them. x^2 is exact.
  UPCAST_HOST_DEVICE static double near(double x) {
    const double square = x * x;
    const double first = (square - kElement<kZeros, 0>)-kElement<kZeros, 1>;
    const double second = (square - kElement<kZeros, 2>)-kElement<kZeros, 3>;
    return (kOrder == 1 ? x : 1) * (first * second) * polynomial<kNear>(square);
  }
  /// The real part of the Hankel function, whose amplitude and phase are smooth.
  UPCAST_HOST_DEVICE static double far(double x) {
    const double inverse = 1 / x;
    const double square = inverse * inverse;
    const double amplitude = std::sqrt(2 / kPi * inverse) * polynomial<kAmplitude>(square);
    Quarters angle = quarters_of(x);
    angle.high -= 0.5;
    angle.low += inverse * polynomial<kPhase>(square);
    // J0 is a cosine, which is a sine half of a half turn ahead. J1 is a sine.
    return amplitude * sine_of(half_turn_of(angle, kOrder == 0 ? 0.5 : 0));
  }
  UPCAST_HOST_DEVICE static double of(double a) {
    const double below = near(clamp(a, 0, kLimit));
    const double above = far(a < kLimit ? kLimit : a);
    const double finite = a < kLimit ? below : above;
    return a == kInfinity ? 0 : finite;
  }
};
using BesselJ0 = Bessel<0, kBesselJ0Zeros, kBesselJ0Near, kBesselJ0Amplitude, kBesselJ0Phase>;
using BesselJ1 = Bessel<1, kBesselJ1Zeros, kBesselJ1Near, kBesselJ1Amplitude, kBesselJ1Phase>;

UPCAST_HOST_DEVICE inline float bessel_j0(float x) {
  return static_cast<float>(BesselJ0::of(magnitude(x)));
}
UPCAST_HOST_DEVICE inline float bessel_j1(float x) {
  const double value = BesselJ1::of(magnitude(x));
  return static_cast<float>(from_bits(bits(value) ^ (bits(x) & kSignBit)));
}

// bessel_j0_mostly and bessel_j1_mostly are right only if is_below_bessel_limit(x). NaN counts as
// near: its result is NaN.
UPCAST_HOST_DEVICE inline bool is_below_bessel_limit(float x) {
  return !(std::abs(x) >= static_cast<float>(BesselJ0::kLimit));
}
UPCAST_HOST_DEVICE inline float bessel_j0_mostly(float x) {
  return static_cast<float>(BesselJ0::near(x));
}
UPCAST_HOST_DEVICE inline float bessel_j1_mostly(float x) {
  return static_cast<float>(BesselJ1::near(x));
}

}  // namespace upcast::branchless
