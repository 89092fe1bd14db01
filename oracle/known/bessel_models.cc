// Models of LibTorch's Bessel and Airy functions where they are wrong: its own formulas, evaluated
// in its own precision.
#include <array>
#include <cmath>
#include <limits>

#include "impl/math/bessel_i.h"
#include "impl/math/bessel_k.h"
#include "oracle/known/cephes_coefficients.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_maps.h"

namespace upcast::models {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

/// Evaluates a polynomial by Horner's scheme in T. The coefficients are rounded to T first.
template <class T, std::size_t N>
T horner(const std::array<double, N>& coefficients, T x) {
  T value = 0;
  for (double coefficient : coefficients) value = value * x + static_cast<T>(coefficient);
  return value;
}

/// The values P and Q of Hankel's expansion at x, and the phase, which is rounded to T.
template <class T>
struct Hankel {
  T p, q, phase, root;

  Hankel(bool first_order, T x) {
    const T w = T(5) / x;
    const T square = first_order ? w * w : T(25) / (x * x);
    const auto ratio = [square](const auto& above, const auto& below) {
      return horner(above, square) / horner(below, square);
    };
    p = first_order ? ratio(cephes::kP1, cephes::kP1Below) : ratio(cephes::kP0, cephes::kP0Below);
    q = w *
        (first_order ? ratio(cephes::kQ1, cephes::kQ1Below) : ratio(cephes::kQ0, cephes::kQ0Below));
    phase = x - static_cast<T>(first_order ? 2.356194490192344928847 : 0.785398163397448309616);
    root = std::sqrt(x);
  }
  T j() const { return (p * std::cos(phase) - q * std::sin(phase)) * kRootOfTwoByPi / root; }
  T y() const { return (p * std::sin(phase) + q * std::cos(phase)) * kRootOfTwoByPi / root; }

  static constexpr T kRootOfTwoByPi = static_cast<T>(0.797884560802865355879892);
};

template <class T>
T bessel_j(bool first_order, T x) {
  if (first_order && x < 0) return -bessel_j(first_order, -x);
  if (!first_order) x = std::abs(x);  // J0 is even; J1 is odd, down to the sign of zero
  if (!(x <= 5)) return Hankel<T>(first_order, x).j();
  const T square = x * x;
  if (first_order) {
    const T ratio = horner(cephes::kJ1, square) / horner(cephes::kJ1Below, square);
    return ratio * x * (square - static_cast<T>(1.46819706421238932572e+01)) *
           (square - static_cast<T>(4.92184563216946036703e+01));
  }
  if (x < static_cast<T>(0.00001)) return T(1) - square / T(4);
  return (square - static_cast<T>(5.78318596294678452118e+00)) *
         (square - static_cast<T>(3.04712623436620863991e+01)) * horner(cephes::kJ0, square) /
         horner(cephes::kJ0Below, square);
}

template <class T>
T bessel_y(bool first_order, T x) {
  if (!(x <= 5)) return Hankel<T>(first_order, x).y();
  if (x <= 0) return static_cast<T>(x == 0 ? -HUGE_VAL : kNaN);
  constexpr T kTwoByPi = static_cast<T>(0.636619772367581343075535);
  const T square = x * x;
  const T j = bessel_j(first_order, x);
  if (first_order)
    return x * (horner(cephes::kY1, square) / horner(cephes::kY1Below, square)) +
           kTwoByPi * (j * std::log(x) - T(1) / x);
  return horner(cephes::kY0, square) / horner(cephes::kY0Below, square) +
         kTwoByPi * std::log(x) * j;
}

/// Maclaurin's series.
template <class T>
T airy_near_zero(T x) {
  T f = 1, g = x, k = 1, m = 1, n = x;
  const T cube = x * x * x;
  for (T t = 1; t > std::numeric_limits<T>::epsilon(); t = std::abs(m / f)) {
    k += 1;
    m = m * cube / k;
    n *= cube;
    k += 1;
    n /= k;
    m /= k;
    f += m;
    k += 1;
    n /= k;
    g += n;
  }
  return static_cast<T>(0.355028053887817239260) * f - static_cast<T>(0.258819403792806798405) * g;
}

template <class T>
T airy(T x) {
  constexpr T kRootOfPi = static_cast<T>(5.64189583547756286948e-01);
  if (std::isinf(x)) return static_cast<T>(kNaN);
  if (x > static_cast<T>(103.892)) return 0;
  if (x < static_cast<T>(-2.09)) {
    const T zeta = T(-2) * x * std::sqrt(-x) / T(3);
    const T z = T(1) / zeta;
    const T square = z * z;
    const T f =
        T(1) + square * horner(cephes::kAiryF, square) / horner(cephes::kAiryFBelow, square);
    const T g = z * horner(cephes::kAiryG, square) / horner(cephes::kAiryGBelow, square);
    const T phase = zeta + T(0.25) * static_cast<T>(kPi);
    return kRootOfPi / std::sqrt(std::sqrt(-x)) * (std::sin(phase) * f - std::cos(phase) * g);
  }
  if (!(x >= static_cast<T>(2.09))) return airy_near_zero(x);
  const T zeta = T(2) * x * std::sqrt(x) / T(3);
  const T z = T(1) / zeta;
  return kRootOfPi * (horner(cephes::kAiryRight, z) / horner(cephes::kAiryRightBelow, z)) /
         (T(2) * std::sqrt(std::sqrt(x)) * std::exp(zeta));
}

/// i0 and i1: ATen multiplies by exp(|x|) in the dtype, which overflows too early, and at infinity
/// multiplies infinity by 0. i1 of -0 is 0.
template <bool kOdd>
std::optional<Answer> bessel_i_by_exp(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, [](auto x) -> double {
    if (kOdd && x == 0) return 0;
    if (std::isinf(x)) return kNaN;
    if (std::isinf(std::exp(std::abs(x)))) return kOdd ? std::copysign(HUGE_VAL, x) : HUGE_VAL;
    return kOdd ? bessel_i1(x) : bessel_i0(x);
  });
}
std::optional<Answer> bessel_i1e_by_exp(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, [](auto x) -> double { return x == 0 ? 0 : bessel_i1e(x); });
}

/// J and Y: ATen evaluates Cephes' rational functions in the dtype, but omits the leading 1 of half
/// of their denominators (wrong by up to 8e-7). Beyond 5 it rounds the phase, x - pi/4 or x -
/// 3pi/4, to the dtype; in float32 no digit of the phase is right from 10^7 on. At infinity the
/// result is NaN.
template <bool kSecondKind, bool kFirstOrder>
std::optional<Answer> bessel_without_leading_ones(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, [](auto x) {
    return kSecondKind ? bessel_y(kFirstOrder, x) : bessel_j(kFirstOrder, x);
  });
}

/// Ai: below -2.09 ATen omits leading ones of Cephes' denominators, as in J and Y (wrong by up to
/// 2e-6). It rounds zeta + pi/4 to the dtype. The result is NaN if zeta overflows.
std::optional<Answer> airy_without_leading_ones(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, [](auto x) { return airy(x); });
}

/// K: ATen takes log(x / 2), with x / 2 in the dtype. Half of the smallest number is then 0, and
/// half of any odd subnormal is rounded.
template <bool kScaled, bool kFirstOrder>
std::optional<Answer> bessel_k_by_half(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> double {
    const double half = kFirstOrder || kScaled ? static_cast<double>(T(0.5) * x) : 0.5 * x;
    if (x > 0 && half == 0) return kFirstOrder ? kNaN : HUGE_VAL;
    if (kFirstOrder) return kScaled ? scaled_bessel_k1(x) : bessel_k1(x);
    const double seen = x > 0 ? 2 * half : x;
    return kScaled ? scaled_bessel_k0(seen) : bessel_k0(seen);
  });
}

}  // namespace

ModelRows bessel_models() {
  return {
      {"bessel_i_by_exp", {"i0", "special_modified_bessel_i0"}, bessel_i_by_exp<false>},
      {"bessel_i_by_exp", {"special_i1", "special_modified_bessel_i1"}, bessel_i_by_exp<true>},
      {"bessel_i_by_exp", {"special_i1e"}, bessel_i1e_by_exp},
      {"bessel_without_leading_ones",
       {"special_bessel_j0"},
       bessel_without_leading_ones<false, false>},
      {"bessel_without_leading_ones",
       {"special_bessel_j1"},
       bessel_without_leading_ones<false, true>},
      {"bessel_without_leading_ones",
       {"special_bessel_y0"},
       bessel_without_leading_ones<true, false>},
      {"bessel_without_leading_ones",
       {"special_bessel_y1"},
       bessel_without_leading_ones<true, true>},
      {"airy_without_leading_ones", {"special_airy_ai"}, airy_without_leading_ones},
      {"bessel_k_by_half", {"special_modified_bessel_k0"}, bessel_k_by_half<false, false>},
      {"bessel_k_by_half", {"special_modified_bessel_k1"}, bessel_k_by_half<false, true>},
      {"bessel_k_by_half", {"special_scaled_modified_bessel_k0"}, bessel_k_by_half<true, false>},
      {"bessel_k_by_half", {"special_scaled_modified_bessel_k1"}, bessel_k_by_half<true, true>},
  };
}

}  // namespace upcast::models
